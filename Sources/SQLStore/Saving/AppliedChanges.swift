package import ContextCore

/// The result of applying changes in a transaction.
package struct AppliedChanges {
    /// The conflicts; if there are any, nothing was changed.
    package let conflicts: [RowConflict]
    /// The encoded history record.
    package let history: HistoryEncoder

    package init(conflicts: [RowConflict] = [], history: HistoryEncoder = HistoryEncoder()) {
        self.conflicts = conflicts
        self.history = history
    }

    /// Returns the receipt of a batch.
    package func receipt(_ mapping: StoreMapping) throws(StoreError) -> BatchReceipt {
        if !conflicts.isEmpty { return BatchReceipt(changes: [], conflicts: conflicts) }
        var decoder = HistoryDecoder(mapping, maximumUncountedRows: Int64(HistoryChange.maximumRows))
        return BatchReceipt(changes: try decoder.changes(history.bytes))
    }
}
