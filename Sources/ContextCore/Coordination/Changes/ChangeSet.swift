/// All changes of one save, as a value.
///
/// Rows are grouped by operation, so that a store can write each group with few statements. Identifiers are
/// permanent: keys are assigned before rows are written. Each row and each link occurs at most once.
///
/// A store applies insertions first, then updates, deletions, and removed, placed and moved links. The effects of delete rules are part of
/// the change set: a store applies no delete rules, but removes the links and positions of a deleted row.
///
/// A one-to-one relationship is a reference in both rows. A change set that sets one of them also sets the other, and clears
/// the references of objects that were related before. Contexts ensure that; a store doesn't check it. `storectl check` finds references
/// that disagree.
public struct ChangeSet: Sendable {
    /// The author of the changes.
    public var author: String?
    /// The name of the context that made the changes.
    public var contextName: String?
    /// New rows, one group per entity.
    public var inserts: [Insertion] = []
    /// Changed rows, one group per entity and set of changed columns.
    public var updates: [Update] = []
    /// Deleted rows, one group per entity.
    public var deletes: [Deletion] = []
    /// Changed links of many-to-many and ordered relationships, one group per relationship.
    public var links: [LinkChange] = []
    /// Whether the store computes derived attributes in its transaction, because other contexts may have saved values that they
    /// depend on.
    var defersDerivations = false
    /// Rows that the transaction must lock: derived attributes depend on them, or they depend on rows of the change set.
    ///
    /// Only stores with ``StoreCapabilities/concurrentWrites`` need them.
    package var lockedRows: [LockedRows] = []

    /// Creates an empty change set.
    public init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }

    /// Whether there are no changes.
    public var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty && links.isEmpty }

    /// Rows of one inheritance tree that don't change, and that no other transaction may change at the same time.
    package struct LockedRows: Sendable, Hashable {
        /// The index of the root entity in the model.
        package var rootIndex: Int
        package var keys: [Int64]
    }

    /// New rows of one entity.
    public struct Insertion: Sendable {
        /// The index of the entity in the model.
        public var entityIndex: Int
        /// The rows, with their initial versions.
        public var rows: RowBatch

        /// Creates a group.
        public init(entityIndex: Int, rows: RowBatch) {
            self.entityIndex = entityIndex
            self.rows = rows
        }
    }

    /// Changed rows of one entity that have the same changed columns.
    public struct Update: Sendable {
        /// The index of the entity in the model.
        public var entityIndex: Int
        /// The changed columns.
        public var columns: [Int]
        /// The complete new rows, with their new versions.
        public var rows: RowBatch
        /// The version of each row that the context had read before it changed the row.
        ///
        /// If the store has another version of a row, there is a conflict.
        public var baseVersions: [Int64]
        /// The complete rows before the change; a parent context uses them to compare values instead of versions.
        var baseRows: RowBatch?

        /// Creates a group.
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
        /// The index of the entity in the model.
        public var entityIndex: Int
        /// The keys of the rows.
        public var keys: [Int64]
        /// The version of each row that the context had read; nil to delete any version, even if the row doesn't exist.
        public var baseVersions: [Int64?]
        /// The complete rows before the deletion, as far as they were loaded; only a parent context uses them.
        var baseRows: RowBatch?

        /// Creates a group.
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

    /// Changed links of one relationship.
    ///
    /// A many-to-many relationship and its inverse share links; only one of the two lists which objects are linked. If
    /// both are ordered, the other may place links too, to set their positions in its own order. A relationship that is its own inverse
    /// has links in both directions.
    ///
    /// The links of an ordered one-to-many relationship contain only the positions of rows; the reference of a row determines
    /// its owner.
    public struct LinkChange: Sendable {
        /// The index in the model of the entity that declares the relationship.
        public var entityIndex: Int
        /// The slot of the relationship.
        public var slot: Int
        /// New links, with their positions.
        public var placed: [RelatedRows.Link]
        /// Links with new positions.
        ///
        /// A store ignores a link that it no longer has: another context removed it, and moving a member doesn't restore it.
        public var moved: [RelatedRows.Link]
        /// Removed links.
        public var removed: [RelatedRows.Link]
        /// The order of each changed list, by owner; only a parent context uses it, to merge it with its own.
        var orders: [Int64: ListOrder] = [:]

        /// Creates a group.
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

    /// The order of the members of a list in a context.
    struct ListOrder: Sendable {
        /// The keys of all members.
        let members: [Int64]
        /// The keys of the members that the context added.
        let added: Set<Int64>
        /// Whether the context moved members.
        let isReordered: Bool
    }
}
