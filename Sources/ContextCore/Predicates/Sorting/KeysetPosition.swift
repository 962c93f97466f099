/// The position of a row in a sort order: the values of its sort keys, and its own key, which breaks ties.
///
/// A page that starts at a position instead of an offset costs the same wherever it is, and inserted rows shift nothing. The row itself
/// needn't exist any more.
package struct KeysetPosition: Hashable, Sendable {
    /// The value of each sort key, in the sequence of the order.
    package let values: [StoredValue]
    /// The key of the row.
    package let key: Int64

    package init(values: [StoredValue], key: Int64) {
        self.values = values
        self.key = key
    }

    /// Whether the position has a value of the right type for each sort key.
    ///
    /// A position from outside of the program must be checked, because a backend can't compare values of different types.
    package func fits(_ order: [ResolvedSortKey]) -> Bool {
        order.count == values.count
            && zip(order, values).allSatisfy { $0.expression.canHave($1) }
    }

    /// Returns the condition on rows after the position in an order, where ties are sorted by key, in ascending order.
    ///
    /// With the keys `score DESC, name` it is
    ///
    ///     score <= 5 AND (score < 5 OR score = 5 AND name > "Ann" OR score = 5 AND name = "Ann" AND SELF > 12)
    ///
    /// The first comparison is implied by the others. It lets a database start in an index of the first sort key.
    package func condition(
        after order: [ResolvedSortKey], entityIndex: Int
    ) -> ResolvedPredicate {
        condition(order, .compare(.ownKey(entityIndex), .greater, ownKey(entityIndex)))
    }

    /// Returns the condition on rows before the position in an order, where ties are sorted by key, in ascending order.
    package func condition(
        before order: [ResolvedSortKey], entityIndex: Int
    ) -> ResolvedPredicate {
        condition(order.map(\.reversed), .compare(.ownKey(entityIndex), .less, ownKey(entityIndex)))
    }

    private func ownKey(_ entityIndex: Int) -> ResolvedExpression {
        .constant(.int(key), type: .object(entityIndex: entityIndex))
    }

    private func condition(_ order: [ResolvedSortKey], _ tie: ResolvedPredicate) -> ResolvedPredicate {
        // All rows have the same value of a constant.
        let keys = zip(order, values).filter { $0.0.expression.constant == nil }
        var equal: [ResolvedPredicate] = []
        var alternatives: [ResolvedPredicate] = []
        for (key, value) in keys {
            alternatives.append(.conjunction(equal + [key.condition(after: value)]))
            equal.append(key.condition(equalTo: value))
        }
        alternatives.append(.conjunction(equal + [tie]))
        let bound = keys.first.map { $0.condition(atOrAfter: $1) }
        return .conjunction([bound, .disjunction(alternatives)].compactMap { $0 })
    }
}

extension ResolvedSortKey {
    /// The key with the opposite direction, also for nulls.
    package var reversed: ResolvedSortKey {
        ResolvedSortKey(expression, isDescending: !isDescending, nullsFirst: !nullsFirst)
    }

    fileprivate func condition(equalTo value: StoredValue) -> ResolvedPredicate {
        value.isNull ? .isNull(expression) : compare(.equal, value)
    }

    fileprivate func condition(after value: StoredValue) -> ResolvedPredicate {
        if value.isNull { return nullsFirst ? .not(.isNull(expression)) : .constant(.false) }
        return includingLastNulls(compare(isDescending ? .less : .greater, value))
    }

    fileprivate func condition(atOrAfter value: StoredValue) -> ResolvedPredicate {
        if value.isNull { return nullsFirst ? .constant(.true) : .isNull(expression) }
        return includingLastNulls(compare(isDescending ? .lessOrEqual : .greaterOrEqual, value))
    }

    /// Adds the nulls to the values after another one, if they are after it.
    private func includingLastNulls(_ condition: ResolvedPredicate) -> ResolvedPredicate {
        expression.isNullable && !nullsFirst ? .disjunction([condition, .isNull(expression)]) : condition
    }

    private func compare(_ sign: OrderOperator, _ value: StoredValue) -> ResolvedPredicate {
        .compare(expression, sign, .constant(value, type: expression.type))
    }
}

extension ResolvedExpression {
    /// Whether a value can be a result of the expression, judged by its type.
    fileprivate func canHave(_ value: StoredValue) -> Bool {
        if value.isNull { return isNullable }
        switch (type, value) {
        case (.object, .int): return true
        case (.double, .double(let number)): return !number.isNaN
        case (.decimal, .decimal(let number)): return !number.isNaN
        case (.double, _), (.decimal, _), (.object, _): return false
        default: return ResolvedType(value) == type
        }
    }
}
