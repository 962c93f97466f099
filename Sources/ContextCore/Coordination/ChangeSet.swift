/// Everything that one save changes, as a value.
///
/// Rows are grouped by what is done to them, so that a store can write each group with few statements. Identifiers are
/// permanent: a graph's keys are known before its rows are written. No row is in it twice, and no link.
///
/// Insertions come first, then updates, deletions, removed, placed and moved links. What follows from a deletion is spelled out: a store
/// carries out no delete rules for a change set, but lets go of the links and positions that a deleted row had.
///
/// A one-to-one relationship is a reference in the rows of both ends. A change set that sets one end sets the other, too, and clears
/// the ends of the objects that are let go of. Contexts see to that; a store doesn't check it. `storectl check` finds ends that disagree.
public struct ChangeSet: Sendable {
    /// Who made the changes.
    public var author: String?
    /// The context that they were made in.
    public var contextName: String?
    /// New rows, a group an entity.
    public var inserts: [Insertion] = []
    /// Changed rows, a group an entity and set of changed columns.
    public var updates: [Update] = []
    /// Deleted rows, a group an entity.
    public var deletes: [Deletion] = []
    /// Changed links of many-to-many and ordered relationships, a group a relationship.
    public var links: [LinkChange] = []
    /// Whether derived attributes are to be worked out in the store's transaction, since other contexts may have saved what they
    /// depend on.
    var leavesDerivations = false
    /// Rows that must not be changed at the same time: derived attributes follow from them, or would follow from what is changed here.
    ///
    /// Only a store with ``StoreCapabilities/concurrentWrites`` needs them.
    package var held: [HeldRows] = []

    /// Makes an empty change set.
    public init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty && links.isEmpty }

    /// Rows of one inheritance tree that stay as they are, and that no other transaction may change meanwhile.
    package struct HeldRows: Sendable, Hashable {
        /// The uppermost entity's position in the model.
        package var rootIndex: Int
        package var keys: [Int64]
    }

    /// New rows of one entity.
    public struct Insertion: Sendable {
        /// The entity's position in the model.
        public var entityIndex: Int
        /// The rows, each with its first version.
        public var rows: RowBatch

        /// Makes a group.
        public init(entityIndex: Int, rows: RowBatch) {
            self.entityIndex = entityIndex
            self.rows = rows
        }
    }

    /// Changed rows of one entity, in all of which the same columns have changed.
    public struct Update: Sendable {
        /// The entity's position in the model.
        public var entityIndex: Int
        /// The columns that have changed.
        public var columns: [Int]
        /// The whole rows as they are to be, each with its new version.
        public var rows: RowBatch
        /// The version that each row was changed from.
        ///
        /// The store must still have it, or there is a conflict.
        public var baseVersions: [Int64]
        /// The whole rows as they were; only a context asks for them, to compare values instead of versions.
        var baseRows: RowBatch?

        /// Makes a group.
        public init(entityIndex: Int, columns: [Int], rows: RowBatch, baseVersions: [Int64]) {
            self.init(
                entityIndex: entityIndex, columns: columns, rows: rows, baseVersions: baseVersions,
                baseRows: nil)
        }

        init(
            entityIndex: Int, columns: [Int], rows: RowBatch, baseVersions: [Int64], baseRows: RowBatch?
        ) {
            self.entityIndex = entityIndex
            self.columns = columns
            self.rows = rows
            self.baseVersions = baseVersions
            self.baseRows = baseRows
        }
    }

    /// Deleted rows of one entity.
    public struct Deletion: Sendable {
        /// The entity's position in the model.
        public var entityIndex: Int
        /// The rows' keys.
        public var keys: [Int64]
        /// The version that each row was deleted at; nil where any will do, even none.
        public var baseVersions: [Int64?]
        /// The whole rows as they were, as far as they were loaded; only a context asks for them.
        var baseRows: RowBatch?

        /// Makes a group.
        public init(entityIndex: Int, keys: [Int64], baseVersions: [Int64?]) {
            self.init(entityIndex: entityIndex, keys: keys, baseVersions: baseVersions, baseRows: nil)
        }

        init(entityIndex: Int, keys: [Int64], baseVersions: [Int64?], baseRows: RowBatch?) {
            self.entityIndex = entityIndex
            self.keys = keys
            self.baseVersions = baseVersions
            self.baseRows = baseRows
        }
    }

    /// Changed links of one relationship, seen from one of its ends.
    ///
    /// Both ends of a many-to-many relationship share their links; which belong together is listed from one of them only. Where
    /// both are ordered, the other may place links too, to say where they stand for it. A relationship that is its own inverse
    /// links both ways.
    ///
    /// The links of an ordered one-to-many relationship say only where a row stands among its siblings: that it belongs to its
    /// owner says its reference.
    public struct LinkChange: Sendable {
        /// The position in the model of the entity that declares the relationship.
        public var entityIndex: Int
        /// The relationship's slot.
        public var slot: Int
        /// New links, with their positions.
        public var placed: [RelatedRows.Link]
        /// Links with new positions.
        ///
        /// A store that no longer has a link leaves it out: another context removed it, and moving a member doesn't bring it back.
        public var moved: [RelatedRows.Link]
        /// Links that are gone.
        public var removed: [RelatedRows.Link]
        /// The order of each changed list, by owner; only a context asks for it, to merge it with its own.
        var orders: [Int64: ListOrder] = [:]

        /// Makes a group.
        public init(
            entityIndex: Int, slot: Int, placed: [RelatedRows.Link] = [], moved: [RelatedRows.Link] = [],
            removed: [RelatedRows.Link] = []
        ) {
            self.entityIndex = entityIndex
            self.slot = slot
            self.placed = placed
            self.moved = moved
            self.removed = removed
        }

        var isEmpty: Bool { placed.isEmpty && moved.isEmpty && removed.isEmpty && orders.isEmpty }
    }

    /// The order that a context gave the members of a list.
    struct ListOrder: Sendable {
        /// The keys of all members.
        let members: [Int64]
        /// The keys of the members that the context added.
        let added: Set<Int64>
        /// Whether the context moved members.
        let isReordered: Bool
    }
}
