/// Resolves comparisons.
extension RequestChecker {
    /// Resolves a comparison with any operator or quantifier.
    func comparison(_ comparison: PredicateComparison) throws -> ResolvedPredicate {
        if let quantifier = comparison.quantifier { return try quantifiedComparison(comparison, quantifier) }
        switch comparison.operator {
        case .equal: return try orderComparison(comparison, .equal)
        case .notEqual: return try orderComparison(comparison, .notEqual)
        case .less: return try orderComparison(comparison, .less)
        case .lessOrEqual: return try orderComparison(comparison, .lessOrEqual)
        case .greater: return try orderComparison(comparison, .greater)
        case .greaterOrEqual: return try orderComparison(comparison, .greaterOrEqual)
        case .beginsWith: return try text(comparison, .beginsWith)
        case .endsWith: return try text(comparison, .endsWith)
        case .contains: return try contains(comparison)
        case .like, .matches: return try pattern(comparison)
        case .in: return try inComparison(comparison)
        case .between: return try between(comparison)
        }
    }

    private func orderComparison(_ comparison: PredicateComparison, _ sign: OrderOperator) throws
        -> ResolvedPredicate
    {
        let left = try folded(operand(comparison.left), comparison)
        let right = try folded(operand(comparison.right), comparison)
        return try compare(left, sign, right, comparison)
    }

    /// Folds the case or diacritics of one side of a comparison, as its options say.
    private func folded(_ operand: Operand, _ comparison: PredicateComparison) throws -> Operand {
        guard !comparison.options.isEmpty else { return operand }
        var copy = operand
        copy.expression = try folded(operand.expression, comparison.options, of: operand.source)
        copy.attributeType = nil
        return copy
    }

    // MARK: Lists

    private func inComparison(_ comparison: PredicateComparison) throws -> ResolvedPredicate {
        switch comparison.right {
        case .list(let members): return try inComparison(members, comparison)
        case .path(let path):
            if let membership = try membership(of: comparison.left, in: path, comparison) {
                return membership
            }
            fallthrough
        default: throw failure(comparison, "IN needs a list or a to-many relationship on the right.")
        }
    }

    private func inComparison(
        _ members: [FetchExpression], _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        let left = try folded(operand(comparison.left), comparison)
        var constants: Set<StoredValue> = []
        var others: [ResolvedPredicate] = []
        for member in members {
            let right = try folded(operand(member), comparison)
            let test = try compare(left, .equal, right, comparison)
            if case .compare(left.expression, .equal, let value) = test, let constant = value.constant {
                constants.insert(constant)
            } else {
                others.append(test)
            }
        }
        guard !constants.isEmpty else { return .disjunction(others) }
        let sorted = constants.sorted { ValueOrder.compare($0, $1) < 0 }
        return .disjunction([.isMember(left.expression, of: sorted)] + others)
    }

    private func between(_ comparison: PredicateComparison) throws -> ResolvedPredicate {
        guard case .list(let bounds) = comparison.right, bounds.count == 2 else {
            throw failure(comparison, "BETWEEN needs a list of two values on the right.")
        }
        var lower = comparison
        lower.right = bounds[0]
        var upper = comparison
        upper.right = bounds[1]
        return .conjunction([
            try orderComparison(lower, .greaterOrEqual), try orderComparison(upper, .lessOrEqual),
        ])
    }

    // MARK: Text

    private func contains(_ comparison: PredicateComparison) throws -> ResolvedPredicate {
        if case .path(let path) = comparison.left,
            let membership = try membership(of: comparison.right, in: path, comparison)
        {
            return membership
        }
        return try text(comparison, .contains)
    }

    private func text(_ comparison: PredicateComparison, _ test: SubstringTest) throws -> ResolvedPredicate {
        let left = try textOperand(comparison.left, comparison)
        let right = try textOperand(comparison.right, comparison)
        if left.isNull || right.isNull { return .constant(.unknown) }
        if case (.string(let text)?, .string(let part)?) = (left.constant, right.constant) {
            return .constant(test.holds(text, part) ? .true : .false)
        }
        return .text(left.expression, test, right.expression)
    }

    private func textOperand(_ source: FetchExpression, _ comparison: PredicateComparison) throws -> Operand {
        let operand = try operand(source)
        if operand.isOpaque { throw opaqueOperandError(operand) }
        guard operand.type == .string || operand.type == .null else {
            let sign = comparison.operator.rawValue
            throw failure(
                comparison,
                "\(sign) compares strings, but “\(sourceText(of: source))” is \(operand.type.text(in: model))."
            )
        }
        return try folded(operand, comparison)
    }

    private func pattern(_ comparison: PredicateComparison) throws -> ResolvedPredicate {
        let left = try textOperand(comparison.left, comparison)
        let right = try operand(comparison.right)
        if left.isNull || right.isNull { return .constant(.unknown) }
        guard case .string(let pattern)? = right.constant else {
            throw failure(comparison, "the pattern must be a constant string.")
        }
        guard pattern.utf8.count <= LikePattern.maximumLength else {
            throw failure(comparison, "the pattern is longer than \(LikePattern.maximumLength) bytes.")
        }
        return try comparison.operator == .like
            ? like(left, TextFolding.fold(pattern, comparison.options)) : matches(left, pattern, comparison)
    }

    private func like(_ left: Operand, _ text: String) -> ResolvedPredicate {
        let pattern = LikePattern(text)
        if case .string(let text)? = left.constant {
            return .constant(pattern.matches(text) ? .true : .false)
        }
        return .like(left.expression, pattern)
    }

    private func matches(
        _ left: Operand, _ text: String, _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        let expression: RegularExpression
        do {
            expression = try RegularExpression(text, options: comparison.options)
        } catch {
            throw failure(comparison, "the regular expression is invalid: \(error).")
        }
        if case .string(let text)? = left.constant {
            return .constant(expression.matches(folded: text) ? .true : .false)
        }
        return .matches(left.expression, expression)
    }
}
