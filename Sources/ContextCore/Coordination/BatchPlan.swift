/// Changes many rows by predicate, in the store, without objects.
public struct BatchPlan: Sendable {
    /// What is done.
    public enum Operation: Sendable {
        /// Inserts rows. Their keys and versions are in them.
        case insert(RowBatch)
        /// Sets columns of the rows that fulfil the predicate.
        case update([Int: StoredValue])
        /// Deletes the rows that fulfil the predicate, and does what the delete rules say.
        case delete
    }

    /// The entity whose rows are meant.
    public var entityIndex: Int
    /// Whether rows of its subentities are meant too.
    public var includesSubentities: Bool
    /// Which rows; nil for all.
    package var predicate: ResolvedPredicate?
    /// What is done.
    public var operation: Operation
    /// Who does it.
    public var author: String?

    /// Plans it.
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

/// What a batch changed.
///
/// Rows that delete rules changed or deleted are among them.
public struct BatchReceipt: Sendable {
    /// The changes, each row once.
    public var changes: [HistoryChange]
    /// What kept the batch from being done; when there is any, nothing was.
    public var conflicts: [RowConflict]

    /// Makes a receipt.
    public init(changes: [HistoryChange], conflicts: [RowConflict] = []) {
        self.changes = changes
        self.conflicts = conflicts
    }
}
