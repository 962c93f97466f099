/// Resolves ordering comparisons and converts both sides to one type.
extension RequestChecker {
    /// Resolves a comparison of two operands with `=`, `<` or another order operator.
    func compare(
        _ left: Operand, _ sign: OrderOperator, _ right: Operand, _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        if right.isNull { return nullComparison(left, sign) }
        if left.isNull { return nullComparison(right, sign) }
        if let opaque = [left, right].first(where: \.isOpaque) { throw self.opaqueOperandError(opaque) }
        if left.type.isObject || right.type.isObject {
            return try compareObjects(left, sign, right, comparison)
        }
        switch (left.constant, right.constant) {
        case (let a?, let b?): return try compareConstants(left, a, sign, right, b, comparison)
        case (nil, let constant?): return try compare(left, sign, constant, comparison)
        case (let constant?, nil): return try compare(right, sign.mirrored, constant, comparison)
        case (nil, nil): return try compareValues(left, sign, right, comparison)
        }
    }

    private func nullComparison(_ operand: Operand, _ sign: OrderOperator) -> ResolvedPredicate {
        guard sign == .equal || sign == .notEqual else { return .constant(.unknown) }
        let isEqual = sign == .equal
        if let constant = operand.constant { return .constant(constant.isNull == isEqual ? .true : .false) }
        return isEqual ? .isNull(operand.expression) : .not(.isNull(operand.expression))
    }

    private func compareValues(
        _ left: Operand, _ sign: OrderOperator, _ right: Operand, _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        switch (left.type, right.type) {
        case (let a, let b) where a == b: return .compare(left.expression, sign, right.expression)
        case (.integer, .double): return .compare(left.expression, sign, right.expression)
        case (.double, .integer): return .compare(right.expression, sign.mirrored, left.expression)
        case (.integer, .decimal):
            return .compare(try converted(left, to: .decimal), sign, right.expression)
        case (.decimal, .integer):
            return .compare(left.expression, sign, try converted(right, to: .decimal))
        default: throw mismatch(left, right, comparison)
        }
    }

    private func mismatch(_ left: Operand, _ right: Operand, _ comparison: PredicateComparison) -> StoreError
    {
        var remedy: String?
        switch (left.type, right.type) {
        case (.date, .string), (.string, .date): remedy = "Write a date as date(\"2026-08-01T12:00:00Z\")."
        case (.uuid, .string), (.string, .uuid):
            remedy = "Write a UUID as uuid(\"5E0C9B8F-0000-4000-8000-000000000000\")."
        case (.bool, _), (_, .bool): remedy = "Write a Boolean as YES or NO."
        default: break
        }
        let types = "\(left.type.text(in: model)) and \(right.type.text(in: model))"
        return failure(comparison, "\(types) can't be compared.", remedy: remedy)
    }

    private func compareObjects(
        _ left: Operand, _ sign: OrderOperator, _ right: Operand, _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        guard case (.object(let a), .object(let b)) = (left.type, right.type),
            model.layouts[a].rootIndex == model.layouts[b].rootIndex
        else { throw mismatch(left, right, comparison) }
        if sign != .equal, sign != .notEqual { try checkOrdering(left, right, comparison) }
        if let a = left.constant, let b = right.constant {
            return .constant((a == b) == (sign == .equal) ? .true : .false)
        }
        return left.constant == nil
            ? .compare(left.expression, sign, right.expression)
            : .compare(right.expression, sign.mirrored, left.expression)
    }

    /// Throws unless the order of two objects is defined: one is `SELF` or a variable, the other one too or a saved constant.
    ///
    /// It is the order in which ties are broken, for paging by key. The key of an unsaved object changes when it is saved.
    private func checkOrdering(
        _ left: Operand, _ right: Operand, _ comparison: PredicateComparison
    ) throws(StoreError) {
        let sides = [left, right]
        guard sides.contains(where: \.expression.isKeyOfScope),
            sides.allSatisfy({ $0.expression.isKeyOfScope || $0.constant != nil })
        else {
            throw failure(
                comparison,
                "objects can be compared only with = and !=, and SELF also with <, <=, > and >= to an identifier or a variable."
            )
        }
        for case .int(let key)? in [left.constant, right.constant] where key < 0 {
            throw failure(
                comparison, "the object isn't saved, so it has no permanent identifier to compare.",
                remedy: "Save it before, or page with includesPendingChanges = false.")
        }
    }
}

extension ResolvedExpression {
    /// Whether the expression is the identity of the object itself, or of the object of a variable.
    fileprivate var isKeyOfScope: Bool {
        guard case .property(let property) = node else { return false }
        return property.hops.isEmpty && property.target == .key
    }
}

// MARK: - Constants

extension RequestChecker {
    private func compareConstants(
        _ left: Operand, _ a: StoredValue, _ sign: OrderOperator, _ right: Operand, _ b: StoredValue,
        _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        let mixes = left.type == right.type || left.type.isNumber && right.type.isNumber
        if mixes,
            !(left.type == .decimal && right.type == .double
                || left.type == .double && right.type == .decimal)
        {
            return .constant(sign.holds(ValueOrder.compare(a, b)) ? .true : .false)
        }
        let forward = ConvertedConstant(b, to: left.type, attribute: nil)?.exact
        if let forward { return .constant(sign.holds(ValueOrder.compare(a, forward)) ? .true : .false) }
        guard let backward = ConvertedConstant(a, to: right.type, attribute: nil)?.exact else {
            throw mismatch(left, right, comparison)
        }
        return .constant(sign.holds(ValueOrder.compare(backward, b)) ? .true : .false)
    }

    /// Resolves a comparison of a value with a constant, which is converted to the value's type.
    private func compare(
        _ value: Operand, _ sign: OrderOperator, _ constant: StoredValue, _ comparison: PredicateComparison
    ) throws -> ResolvedPredicate {
        let type = value.type
        func test(_ sign: OrderOperator, _ constant: StoredValue) -> ResolvedPredicate {
            .compare(value.expression, sign, .constant(constant, type: type))
        }
        switch ConvertedConstant(constant, to: type, attribute: value.attributeType) {
        case .exact(let exact)?: return test(sign, exact)
        case .between(let below, let above)?:
            switch sign {
            case .equal: return .constant(.false)
            case .notEqual: return .constant(.true)
            case .less, .lessOrEqual: return test(.lessOrEqual, below)
            case .greater, .greaterOrEqual: return test(.greaterOrEqual, above)
            }
        case .above(let greatest)?:
            switch sign {
            case .equal: return .constant(.false)
            case .notEqual: return .constant(.true)
            case .less, .lessOrEqual: return test(.lessOrEqual, greatest)
            case .greater, .greaterOrEqual: return test(.greater, greatest)
            }
        case .below(let least)?:
            switch sign {
            case .equal: return .constant(.false)
            case .notEqual: return .constant(.true)
            case .less, .lessOrEqual: return test(.less, least)
            case .greater, .greaterOrEqual: return test(.greaterOrEqual, least)
            }
        case nil:
            let written = Operand(
                .literal(constant), .constant(constant, type: ResolvedType(constant) ?? .null))
            throw mismatch(value, written, comparison)
        }
    }
}
