/// An integer compared with a constant that is no integer, such as `count < 2.5`, as a comparison of integers.
///
/// Converting the integer instead would round it where it is great.
struct WholeNumberComparison {
    let resolved: ResolvedPredicate

    init?(_ left: ResolvedExpression, _ order: OrderOperator, _ right: ResolvedExpression) {
        if left.type == .integer, left.constant == nil, case .double(let bound)? = right.constant {
            guard let resolved = Self.compare(left, order, bound) else { return nil }
            self.resolved = resolved
        } else if right.type == .integer, right.constant == nil, case .double(let bound)? = left.constant {
            guard let resolved = Self.compare(right, order.mirrored, bound) else { return nil }
            self.resolved = resolved
        } else {
            return nil
        }
    }

    private static func compare(_ value: ResolvedExpression, _ order: OrderOperator, _ bound: Double)
        -> ResolvedPredicate?
    {
        if Int64(exactly: bound) != nil { return nil }
        let below = bound.rounded(.down)
        switch order {
        case .equal: return .constant(.false)
        case .notEqual: return .constant(.true)
        case .less, .lessOrEqual:
            if let whole = Int64(exactly: below) { return .compare(value, .lessOrEqual, constant(whole)) }
            return below > 0
                ? .compare(value, .lessOrEqual, constant(.max)) : .compare(value, .less, constant(.min))
        case .greater, .greaterOrEqual:
            if let whole = Int64(exactly: below) { return .compare(value, .greater, constant(whole)) }
            return below > 0
                ? .compare(value, .greater, constant(.max)) : .compare(value, .greaterOrEqual, constant(.min))
        }
    }

    private static func constant(_ value: Int64) -> ResolvedExpression {
        ResolvedExpression(.constant(.int(value)), type: .integer, isNullable: false)
    }
}
