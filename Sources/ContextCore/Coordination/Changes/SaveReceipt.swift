/// The result of applying a change set to a store.
public struct SaveReceipt: Sendable {
    /// The conflicts that prevented the changes; empty if they were applied.
    public var conflicts: [RowConflict]
    /// The applied changes with the derived attributes that the transaction computed; empty if it computed none.
    // An array instead of an optional, because receipts are passed on and a change set is large.
    var completed: [ChangeSet] = []

    /// Creates a receipt.
    public init(conflicts: [RowConflict] = []) {
        self.conflicts = conflicts
    }
}

/// A row that could not be saved because of the store's state.
public struct RowConflict: Sendable, Hashable {
    /// The reason of a conflict.
    public enum Reason: Sendable, Hashable {
        /// Another save changed the row: the store has another version of it.
        case changed(storedVersion: Int64)
        /// Another save deleted the row.
        case deleted
        /// Another row has the same values in a unique constraint.
        ///
        /// If there are several, it is the row with the smallest key. If the constraint is empty, the key itself is in use.
        case duplicate(constraint: [String], otherKey: Int64)
        /// The row refers to a row that doesn't exist, or that the same change set deletes.
        ///
        /// The conflict is always that of the referring row, and the property is its own.
        case missingReference(property: String)
        /// The row can't be deleted because its relationship with the delete rule ``DeleteRule/deny`` refers to an object.
        ///
        /// Only a ``BatchPlan`` has this conflict; contexts check the rule before they save.
        case denied(property: String)
    }

    /// The index of the entity in the model.
    public var entityIndex: Int
    /// The key of the row.
    public var key: Int64
    /// The reason.
    public var reason: Reason

    /// Creates a conflict.
    public init(entityIndex: Int, key: Int64, reason: Reason) {
        self.entityIndex = entityIndex
        self.key = key
        self.reason = reason
    }
}
