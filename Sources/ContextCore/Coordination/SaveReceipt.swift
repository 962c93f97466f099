/// What a store answers to a change set.
public struct SaveReceipt: Sendable {
    /// What kept the changes from being applied; empty when they were.
    public var conflicts: [RowConflict]
    /// The changes as they were applied, with the derived attributes that the transaction worked out; none where it worked out none.
    // A list and no optional: receipts are passed on, and a change set is large.
    var completed: [ChangeSet] = []

    /// Makes a receipt.
    public init(conflicts: [RowConflict] = []) {
        self.conflicts = conflicts
    }
}

/// One row that could not be saved as it was.
public struct RowConflict: Sendable, Hashable {
    /// What was in the way.
    public enum Reason: Sendable, Hashable {
        /// Somebody saved the row in between: the store has another version of it.
        case changed(storedVersion: Int64)
        /// Somebody deleted the row in between.
        case deleted
        /// Another row has the same values of a unique constraint.
        ///
        /// Of several others it is the one with the least key. Without properties it is the key itself that is in use.
        case duplicate(constraint: [String], otherKey: Int64)
        /// What the row refers to is not there, or was deleted from under it by the same change set.
        ///
        /// The row is always the one that refers, and the property its own.
        case missingReference(property: String)
        /// The row can't be deleted as long as a relationship with the delete rule ``DeleteRule/deny`` leads anywhere.
        ///
        /// Only a ``BatchPlan`` comes to that; contexts find it out before they save.
        case denied(property: String)
    }

    /// The entity's position in the model.
    public var entityIndex: Int
    /// The row's key.
    public var key: Int64
    /// What was in the way.
    public var reason: Reason

    /// Makes a conflict.
    public init(entityIndex: Int, key: Int64, reason: Reason) {
        self.entityIndex = entityIndex
        self.key = key
        self.reason = reason
    }
}
