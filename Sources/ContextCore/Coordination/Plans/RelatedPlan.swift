/// A query for the related objects of many owners of a to-many relationship.
public struct RelatedPlan: Sendable {
    /// The index of the entity that has the relationship.
    public var entityIndex: Int
    /// The slot of the relationship.
    public var slot: Int
    /// The keys of the owners.
    public var owners: [Int64]
    /// A hint that the owners are all objects of the entity, which doesn't change the result.
    ///
    /// A backend may then read all rows that have an owner, instead of searching for each owner. If the hint is wrong, it omits
    /// the rows of other owners.
    public var ownersAreAll: Bool
    /// Whether the rows of related objects are returned too.
    public var includesRows: Bool

    /// Creates a plan.
    public init(
        entityIndex: Int, slot: Int, owners: [Int64], ownersAreAll: Bool = false, includesRows: Bool = true
    ) {
        self.entityIndex = entityIndex
        self.slot = slot
        self.owners = owners
        self.ownersAreAll = ownersAreAll
        self.includesRows = includesRows
    }
}

/// The related objects of the owners of a to-many relationship.
public struct RelatedRows: Sendable {
    /// One related object of an owner.
    public struct Link: Sendable, Hashable {
        /// The key of the owner.
        public var owner: Int64
        /// The key of the related object.
        public var target: Int64
        /// The position in an ordered relationship; 0 otherwise.
        public var position: Int64

        /// Creates a link.
        public init(owner: Int64, target: Int64, position: Int64 = 0) {
            self.owner = owner
            self.target = target
            self.position = position
        }
    }

    /// The links.
    ///
    /// The links of one owner are adjacent, sorted by position and then by key; owners are in the order of the plan.
    public var links: [Link]
    /// The rows of related objects, without duplicates, if they were requested.
    ///
    /// They are in the order of the links if that is cheap; then the context finds each without a lookup.
    public var rows: RowBatch?

    /// Creates a result.
    public init(links: [Link], rows: RowBatch?) {
        self.links = links
        self.rows = rows
    }
}
