/// The end of a page in a sort order, beyond which its rows are.
package enum KeysetBound: Hashable, Sendable {
    /// The page has the first rows after a position.
    case after(KeysetPosition)
    /// The page has the last rows before a position.
    case before(KeysetPosition)

    package var position: KeysetPosition {
        switch self {
        case .after(let position), .before(let position): position
        }
    }

    /// Whether a plan with this bound returns the rows of the page in reverse.
    package var isReversed: Bool {
        if case .before = self { true } else { false }
    }

    fileprivate func condition(_ order: [ResolvedSortKey], entityIndex: Int) -> ResolvedPredicate {
        switch self {
        case .after(let position): position.condition(after: order, entityIndex: entityIndex)
        case .before(let position): position.condition(before: order, entityIndex: entityIndex)
        }
    }

    /// Returns the order in which the rows of the page are the first ones.
    fileprivate func order(_ order: [ResolvedSortKey], entityIndex: Int) -> [ResolvedSortKey] {
        guard isReversed else { return order }
        let key = ResolvedSortKey(.ownKey(entityIndex), isDescending: true, nullsFirst: false)
        return order.map(\.reversed) + [key]
    }
}

extension FetchPlan {
    /// Returns the plan for the rows on one side of a position, the nearest ones first.
    package func bounded(by bound: KeysetBound) -> FetchPlan {
        var plan = narrowed(by: bound.condition(order, entityIndex: entityIndex))
        plan.order = bound.order(order, entityIndex: entityIndex)
        return plan
    }
}

extension AggregatePlan {
    /// Returns the plan for the rows on one side of a position, the nearest ones first.
    ///
    /// The plan must not aggregate rows.
    package func bounded(by bound: KeysetBound) -> AggregatePlan {
        var plan = self
        let condition = bound.condition(order, entityIndex: entityIndex)
        plan.predicate = .conjunction([predicate, condition].compactMap { $0 })
        plan.order = bound.order(order, entityIndex: entityIndex)
        return plan
    }
}
