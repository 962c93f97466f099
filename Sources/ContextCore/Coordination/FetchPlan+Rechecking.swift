extension FetchPlan {
    /// Whether other rows than the answer's own have a say in which they are: those that relationships lead to.
    package func asksOthers(in model: ObjectModel) -> Bool {
        guard let predicate else { return false }
        var involved = InvolvedEntities(entityIndex, in: model)
        involved.add(predicate)
        return !involved.reached.isEmpty
    }

    /// Asks of some rows alone whether they are still meant, without locking them: the keys of those that are.
    package func rechecking(_ keys: [Int64]) -> FetchPlan {
        var plan = narrowed(by: .isMember(.ownKey(entityIndex), of: keys.sorted().map { .int($0) }))
        (plan.order, plan.limit, plan.offset, plan.columns, plan.lock) = ([], nil, 0, [], nil)
        return plan
    }
}
