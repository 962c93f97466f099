/// A batch operation, which changes many rows in the store by predicate, without creating objects.
public struct BatchPlan: Sendable {
    /// The operation of a batch.
    public enum Operation: Sendable {
        /// Inserts rows, which contain their keys and versions.
        case insert(RowBatch)
        /// Inserts rows, or updates or keeps stored rows with the same unique values.
        case upsert(BatchUpsert)
        /// Sets columns of the rows that satisfy the predicate.
        case update([Int: StoredValue])
        /// Deletes the rows that satisfy the predicate, and applies delete rules.
        case delete
    }

    /// The index of the entity whose rows are changed.
    public var entityIndex: Int
    /// Whether rows of subentities are included.
    public var includesSubentities: Bool
    /// The condition on rows; nil for all.
    package var predicate: ResolvedPredicate?
    /// The operation.
    public var operation: Operation
    /// The author of the change, for the history.
    public var author: String?

    /// Creates a plan.
    package init(
        entityIndex: Int, includesSubentities: Bool = true, predicate: ResolvedPredicate? = nil,
        operation: Operation,
        author: String? = nil
    ) {
        self.entityIndex = entityIndex
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.operation = operation
        self.author = author
    }
}

/// The result of a batch operation.
///
/// It includes rows that delete rules changed or deleted.
public struct BatchReceipt: Sendable {
    /// The changes, one per row.
    public var changes: [HistoryChange]
    /// The conflicts that prevented the batch; if there are any, nothing was changed.
    public var conflicts: [RowConflict]
    /// The number of rows of an upsert that were neither inserted nor changed a stored row.
    public var unchangedRows: Int

    /// Creates a receipt.
    public init(changes: [HistoryChange], conflicts: [RowConflict] = [], unchangedRows: Int = 0) {
        self.changes = changes
        self.conflicts = conflicts
        self.unchangedRows = unchangedRows
    }
}
