package import ContextCore

/// What became of changes in a transaction.
package struct AppliedChanges {
    /// What stood in the way; then nothing was changed.
    package let conflicts: [RowConflict]
    /// What the history says.
    package let history: HistoryEncoder

    package init(conflicts: [RowConflict] = [], history: HistoryEncoder = HistoryEncoder()) {
        self.conflicts = conflicts
        self.history = history
    }

    /// What whoever asked for a batch is told.
    package func receipt(_ mapping: StoreMapping) throws(StoreError) -> BatchReceipt {
        if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
        var decoder = HistoryDecoder(mapping, longestLine: Int64(HistoryChange.mostRows))
        return BatchReceipt(changes: try decoder.changes(history.bytes))
    }
}
