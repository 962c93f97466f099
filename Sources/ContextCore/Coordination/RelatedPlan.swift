/// Asks what a to-many relationship leads to, for many owners at once.
public struct RelatedPlan: Sendable {
    /// The entity that has the relationship.
    public var entityIndex: Int
    /// The relationship's slot.
    public var slot: Int
    /// The owners' keys.
    public var owners: [Int64]
    /// Whether they are all owners that there are: a hint, which makes no difference to what is answered.
    ///
    /// A backend may read all rows then that have an owner instead of looking each owner up. Where the hint was wrong, it leaves out
    /// what is others'.
    public var ownersAreAll: Bool
    /// Whether the rows of the objects at the other end are wanted too.
    public var includesRows: Bool

    /// Plans it.
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

/// Says what a to-many relationship leads to, owner by owner.
public struct RelatedRows: Sendable {
    /// One object at the other end.
    public struct Link: Sendable, Hashable {
        /// The owner's key.
        public var owner: Int64
        /// The key of the object at the other end.
        public var target: Int64
        /// Where it stands in an ordered relationship; 0 otherwise.
        public var position: Int64

        /// Makes a link.
        public init(owner: Int64, target: Int64, position: Int64 = 0) {
            self.owner = owner
            self.target = target
            self.position = position
        }
    }

    /// The links.
    ///
    /// Those of one owner stand together, in order of position and then of key; owners stand in the plan's order.
    public var links: [Link]
    /// The rows of the objects at the other end, each once, where they were asked for.
    ///
    /// In the order of the links where that is cheap: the context then finds each without a look-up.
    public var rows: RowBatch?

    /// Makes an answer.
    public init(links: [Link], rows: RowBatch?) {
        self.links = links
        self.rows = rows
    }
}
