/// Checks comparisons, and takes apart those that stores need not know.
struct ComparisonChecking {
    private let checker: PredicateChecker

    init(_ checker: PredicateChecker) { self.checker = checker }

    func check(_ comparison: PredicateComparison, _ negated: Bool) throws -> ResolvedPredicate {
        if let quantifier = comparison.quantifier { return try quantified(quantifier, comparison, negated) }
        if comparison.operator == .in { return try member(comparison, negated) }
        if comparison.operator == .between { return try between(comparison, negated) }
        if comparison.operator == .contains, let found = try containsObject(comparison, negated) {
            return found
        }
        let left = try checker.expression(comparison.left)
        let right = try checker.expression(comparison.right)
        return try compare(left, comparison.operator, right, comparison, negated)
    }

    private func compare(
        _ left: ResolvedExpression, _ operation: ComparisonOperator, _ right: ResolvedExpression,
        _ comparison: PredicateComparison, _ negated: Bool
    ) throws -> ResolvedPredicate {
        if let order = OrderOperator(rawValue: operation.rawValue) {
            return try ordered(left, order, right, comparison, negated)
        }
        let written = FetchPredicate.comparison(comparison).description
        let text = try checker.folded(try self.text(left, written), comparison.options, written)
        let other = try checker.folded(try self.text(right, written), comparison.options, written)
        let test: ResolvedPredicate
        switch operation {
        case .beginsWith: test = .text(text, .beginsWith, other)
        case .endsWith: test = .text(text, .endsWith, other)
        case .contains: test = .text(text, .contains, other)
        case .like:
            guard let pattern = try pattern(other, written) else { return .constant(.unknown) }
            guard pattern.utf8.count <= LikePattern.longest else {
                throw PredicateChecker.refusal("A pattern is longer than \(LikePattern.longest) bytes.")
            }
            test = .like(text, LikePattern(pattern))
        case .matches:
            guard let pattern = try pattern(try checker.expression(comparison.right), written) else {
                return .constant(.unknown)
            }
            test = try .matches(text, TextExpression(parsing: pattern))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between:
            preconditionFailure("The comparison was taken for one of texts.")
        }
        return PredicateChecker.opposite(test, if: negated)
    }

    private func text(_ expression: ResolvedExpression, _ written: String) throws -> ResolvedExpression {
        guard let text = PredicateChecker.converted(expression, to: .string) else {
            throw PredicateChecker.refusal(
                "“\(written)” is about text, not about \(expression.type.sentenceName).")
        }
        return text
    }

    private func pattern(_ expression: ResolvedExpression, _ written: String) throws -> String? {
        switch expression.constant {
        case .string(let pattern): return pattern
        case .null: return nil
        default: throw PredicateChecker.refusal("“\(written)”: a pattern has to be a constant.")
        }
    }

    // MARK: Order

    private func ordered(
        _ left: ResolvedExpression, _ order: OrderOperator, _ right: ResolvedExpression,
        _ comparison: PredicateComparison,
        _ negated: Bool
    ) throws -> ResolvedPredicate {
        let written = FetchPredicate.comparison(comparison).description
        let order = negated ? order.opposite : order
        if left.constant == .null, right.constant != .null {
            return try ordered(right, order.mirrored, left, comparison, false)
        }
        if right.constant == .null {
            if order == .equal || order == .notEqual {
                if left.constant == .null { return .constant(PredicateTruth(order == .equal)) }
                return PredicateChecker.opposite(.isNull(left), if: order == .notEqual)
            }
            return .constant(.unknown)
        }
        if let exact = WholeNumberComparison(left, order, right)?.resolved { return exact }
        let (first, second) = try checker.unified(
            checker.folded(left, comparison.options, written),
            checker.folded(right, comparison.options, written), written)
        if case .object = first.type, order != .equal, order != .notEqual {
            throw PredicateChecker.refusal("“\(written)”: objects have no order.")
        }
        return .compare(first, order, second)
    }

    private func between(_ comparison: PredicateComparison, _ negated: Bool) throws -> ResolvedPredicate {
        guard case .list(let bounds) = comparison.right, bounds.count == 2 else {
            throw PredicateChecker.refusal(
                "“\(FetchPredicate.comparison(comparison))”: BETWEEN needs a list of two values.")
        }
        let both = FetchPredicate.and([
            .comparing(comparison.left, .greaterOrEqual, bounds[0], options: comparison.options),
            .comparing(comparison.left, .lessOrEqual, bounds[1], options: comparison.options),
        ])
        return try checker.check(both, negated: negated)
    }

    // MARK: Membership

    private func member(_ comparison: PredicateComparison, _ negated: Bool) throws -> ResolvedPredicate {
        if case .path(let path) = comparison.right, try checker.isCollection(path) {
            let mirrored = PredicateComparison(
                .path(path), .equal, comparison.left, options: comparison.options, quantifier: .any)
            return try check(mirrored, negated)
        }
        guard case .list(let elements) = comparison.right else {
            throw PredicateChecker.refusal(
                "“\(FetchPredicate.comparison(comparison))”: IN needs a list or a to-many relationship.")
        }
        let written = FetchPredicate.comparison(comparison).description
        let value = try checker.folded(try checker.expression(comparison.left), comparison.options, written)
        var constants: [StoredValue] = []
        var others: [ResolvedPredicate] = []
        var seen: Set<StoredValue> = []
        for element in elements {
            let resolved = try checker.folded(try checker.expression(element), comparison.options, written)
            if resolved.constant == .null {
                others.append(.isNull(value))
            } else if let constant = resolved.constant {
                guard let converted = constant.converted(to: value.type) ?? constant.sameType(as: value.type)
                else { continue }
                if seen.insert(converted).inserted { constants.append(converted) }
            } else {
                let (first, second) = try checker.unified(value, resolved, written)
                others.append(.compare(first, .equal, second))
            }
        }
        if !constants.isEmpty { others.insert(.isMember(value, of: constants), at: 0) }
        let result: ResolvedPredicate = others.count > 1 ? .or(others) : others.first ?? .constant(.false)
        return negated ? Self.negated(result) : result
    }

    private static func negated(_ predicate: ResolvedPredicate) -> ResolvedPredicate {
        switch predicate {
        case .or(let members): .and(members.map(negated))
        case .compare(let left, let order, let right): .compare(left, order.opposite, right)
        case .constant(let truth): .constant(truth == .true ? .false : truth == .false ? .true : .unknown)
        default: .not(predicate)
        }
    }

    /// A to-many relationship that contains an object.
    private func containsObject(_ comparison: PredicateComparison, _ negated: Bool) throws
        -> ResolvedPredicate?
    {
        guard case .path(let path) = comparison.left, try checker.isCollection(path) else { return nil }
        return try check(
            PredicateComparison(
                comparison.left, .equal, comparison.right, options: comparison.options, quantifier: .any),
            negated)
    }

    // MARK: Quantifiers

    private func quantified(
        _ quantifier: Quantifier, _ comparison: PredicateComparison, _ negated: Bool
    ) throws -> ResolvedPredicate {
        guard case .path(let path) = comparison.left else {
            throw PredicateChecker.refusal(
                "“\(FetchPredicate.comparison(comparison))”: \(quantifier.rawValue) needs a to-many relationship."
            )
        }
        let collection = try checker.collection(path)
        // No variable that a person writes can have this name.
        let variable = "\u{0}\(checker.scopes.count)"
        var inner = comparison
        inner.quantifier = nil
        inner.left = .path(PropertyPath(collection.tail, of: variable))
        let condition = try checker.entering(collection, variable: variable).check(.comparison(inner))
        return PredicateChecker.quantified(quantifier, collection.resolved, condition, negated)
    }
}

extension OrderOperator {
    /// The operator that is true where this one is false.
    var opposite: OrderOperator {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }

    /// The operator with its sides exchanged.
    var mirrored: OrderOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}

extension StoredValue {
    /// The value, if it is of a type already.
    func sameType(as type: ResolvedType) -> StoredValue? {
        ResolvedType(self) == type ? self : nil
    }
}
