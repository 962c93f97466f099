import Foundation

// What values are worked out from.
extension PredicateChecker {
    /// Checks a value.
    func expression(_ expression: FetchExpression) throws -> ResolvedExpression {
        switch expression {
        case .literal(let value): return Self.constant(value)
        case .path(let path): return try value(path)
        case .list: throw Self.refusal("“\(expression)”: a list can only stand behind IN or BETWEEN.")
        case .arithmetic(let arithmetic, let left, let right):
            return try reckon(arithmetic, self.expression(left), self.expression(right), expression)
        case .function(let function, let arguments):
            return try FunctionChecking(self).check(function, arguments.map(self.expression), expression)
        case .conditional(let condition, let first, let second):
            let (first, second) = try unified(self.expression(first), self.expression(second), expression)
            return ResolvedExpression(
                .conditional(try check(condition), then: first, else: second), type: first.type,
                isNullable: first.isNullable || second.isNullable)
        case .aggregate(let aggregate): return try self.aggregate(aggregate, expression)
        }
    }

    static func constant(_ value: StoredValue) -> ResolvedExpression {
        ResolvedExpression(.constant(value), type: ResolvedType(value), isNullable: value.isNull)
    }

    // MARK: Arithmetic

    private func reckon(
        _ arithmetic: ArithmeticOperator, _ left: ResolvedExpression, _ right: ResolvedExpression,
        _ written: FetchExpression
    ) throws -> ResolvedExpression {
        if arithmetic == .add, left.type == .string || right.type == .string {
            return try FunctionChecking(self).check(.concat, [left, right], written)
        }
        if left.type == .date || right.type == .date {
            return try reckonTime(arithmetic, left, right, written)
        }
        let (left, right) = try unified(left, right, written)
        guard left.type.isNumber else {
            throw Self.refusal("“\(written)”: only numbers can be reckoned with.")
        }
        return ResolvedExpression(.arithmetic(arithmetic, left, right), type: left.type, isNullable: true)
    }

    private func reckonTime(
        _ arithmetic: ArithmeticOperator, _ left: ResolvedExpression, _ right: ResolvedExpression,
        _ written: FetchExpression
    ) throws -> ResolvedExpression {
        if left.type == .date, right.type == .date, arithmetic == .subtract {
            return ResolvedExpression(.arithmetic(.subtract, left, right), type: .double, isNullable: true)
        }
        let isSum = arithmetic == .add || arithmetic == .subtract
        guard isSum, left.type == .date, let seconds = Self.converted(right, to: .double) else {
            throw Self.refusal(
                "“\(written)”: a moment can be moved by seconds, or taken from another moment.")
        }
        return ResolvedExpression(.arithmetic(arithmetic, left, seconds), type: .date, isNullable: true)
    }

    // MARK: One type for two values

    /// Gives two values one type, converting constants to the type of what they are compared with.
    func unified(
        _ left: ResolvedExpression, _ right: ResolvedExpression, _ written: some CustomStringConvertible
    ) throws -> (ResolvedExpression, ResolvedExpression) {
        if left.type == right.type { return (left, right) }
        if case .object(let first) = left.type, case .object(let second) = right.type {
            if model.layouts[first].rootIndex == model.layouts[second].rootIndex { return (left, right) }
        } else if right.constant != nil, let converted = Self.converted(right, to: left.type) {
            return (left, converted)
        } else if left.constant != nil, let converted = Self.converted(left, to: right.type) {
            return (converted, right)
        } else if let converted = Self.converted(right, to: left.type) {
            return (left, converted)
        } else if let converted = Self.converted(left, to: right.type) {
            return (converted, right)
        }
        throw Self.refusal("“\(written)” compares \(left.type.sentenceName) with \(right.type.sentenceName).")
    }

    /// A value as another type; nil where it can't be one.
    static func converted(_ expression: ResolvedExpression, to type: ResolvedType) -> ResolvedExpression? {
        if expression.type == type { return expression }
        if let constant = expression.constant {
            guard let value = constant.converted(to: type) else { return nil }
            return ResolvedExpression(.constant(value), type: type, isNullable: value.isNull)
        }
        guard expression.type == .integer, type == .double || type == .decimal else { return nil }
        return ResolvedExpression(
            .function(.convert, [expression]), type: type, isNullable: expression.isNullable)
    }

    /// Text without what the options say makes no difference.
    func folded(
        _ expression: ResolvedExpression, _ options: TextOptions, _ written: String
    ) throws -> ResolvedExpression {
        if options.isEmpty { return expression }
        guard expression.type == .string || expression.type == .null else {
            throw Self.refusal(
                "“\(written)”: [c] and [d] are about text, not about \(expression.type.sentenceName).")
        }
        if case .string(let text)? = expression.constant {
            return Self.constant(.string(TextFolding.fold(text, options)))
        }
        return ResolvedExpression(
            .function(.fold(options), [expression]), type: .string, isNullable: expression.isNullable)
    }

    // MARK: Aggregates

    private func aggregate(_ aggregate: FetchAggregate, _ written: FetchExpression) throws
        -> ResolvedExpression
    {
        if aggregate.collection.isItself, allowsGroups {
            let value = aggregate.tail.isEmpty ? nil : try self.value(PropertyPath(aggregate.tail))
            return try Self.aggregated(aggregate.function, nil, nil, value, written)
        }
        let collection = try self.collection(aggregate.collection)
        let variable = aggregate.filter?.variable ?? "\u{0}"
        let inner = try entering(collection, variable: variable)
        let tail = collection.tail + aggregate.tail
        let value = tail.isEmpty ? nil : try inner.value(PropertyPath(tail, of: variable))
        let filter = try aggregate.filter.map { try inner.check($0.predicate) }
        return try Self.aggregated(aggregate.function, collection.resolved, filter, value, written)
    }

    private static func aggregated(
        _ function: AggregateFunction, _ collection: ResolvedCollection?, _ filter: ResolvedPredicate?,
        _ value: ResolvedExpression?, _ written: FetchExpression
    ) throws -> ResolvedExpression {
        let node = ResolvedExpression.Node.aggregate(
            ResolvedAggregate(function: function, collection: collection, filter: filter, value: value))
        if function == .count { return ResolvedExpression(node, type: .integer, isNullable: false) }
        guard let value else { throw refusal("“\(written)”: @\(function.rawValue) needs a property.") }
        switch function {
        case .sum where value.type.isNumber:
            return ResolvedExpression(node, type: value.type, isNullable: false)
        case .average where value.type.isNumber:
            return ResolvedExpression(
                node, type: value.type == .decimal ? .decimal : .double, isNullable: true)
        case .minimum, .maximum: return ResolvedExpression(node, type: value.type, isNullable: true)
        case .count, .sum, .average:
            throw refusal(
                "“\(written)”: @\(function.rawValue) is about numbers, not about \(value.type.sentenceName).")
        }
    }
}
