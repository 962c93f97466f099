/// A session that can read some of an owner's members without reading all of them.
package protocol MemberPagingSession: ReadSession {
    /// Fetches the links of a plan, in its order.
    func members(_ plan: MemberPlan) throws -> [RelatedRows.Link]
}

/// A query for some of the members of one owner of a to-many relationship, in the order of the relationship: by position and then by key.
package struct MemberPlan: Hashable, Sendable {
    /// The end of a page, beyond which its members are.
    package enum Bound: Hashable, Sendable {
        /// The first members after a place.
        case after(position: Int64, key: Int64)
        /// The last members before a place, in reverse.
        case before(position: Int64, key: Int64)
    }

    /// The index of the entity that has the relationship.
    package var entityIndex: Int
    /// The slot of the relationship.
    package var slot: Int
    /// The key of the owner.
    package var owner: Int64
    /// The end of the page; nil for the first members.
    package var bound: Bound?
    /// The maximum number of members.
    package var limit: Int

    package init(entityIndex: Int, slot: Int, owner: Int64, bound: Bound? = nil, limit: Int) {
        self.entityIndex = entityIndex
        self.slot = slot
        self.owner = owner
        self.bound = bound
        self.limit = limit.clampedToZero
    }
}

extension MemberPlan {
    /// Returns the plan's links of all the links of its owner, which are sorted.
    package func page(of links: [RelatedRows.Link]) -> [RelatedRows.Link] {
        switch bound {
        case nil: return Array(links.prefix(limit))
        case .after(let position, let key):
            return Array(links.drop { ($0.position, $0.target) <= (position, key) }.prefix(limit))
        case .before(let position, let key):
            return links.prefix { ($0.position, $0.target) < (position, key) }.suffix(limit).reversed()
        }
    }
}

extension ReadSession {
    /// Fetches the links of a plan, in its order; a session that can't page reads all members.
    package func memberPage(_ plan: MemberPlan) throws -> [RelatedRows.Link] {
        if plan.limit == 0 { return [] }
        if let session = self as? any MemberPagingSession { return try session.members(plan) }
        let all = RelatedPlan(
            entityIndex: plan.entityIndex, slot: plan.slot, owners: [plan.owner], includesRows: false)
        return plan.page(of: try related(all).links)
    }
}
