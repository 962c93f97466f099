extension ChangeSet {
    /// Makes sure that a store of a model can keep the rows: that they were made with it, and are whole.
    ///
    /// A row that was fetched in part has nothing where the rest would be, and would be saved without it.
    package func check(for model: ObjectModel) throws(StoreError) {
        for group in inserts {
            try Self.check(group.rows, model)
            try model.layouts[group.entityIndex].checkIndexed(group.rows, changing: nil)
        }
        for group in updates {
            try Self.check(group.rows, model)
            try model.layouts[group.entityIndex].checkIndexed(group.rows, changing: group.columns)
        }
    }

    private static func check(_ rows: RowBatch, _ model: ObjectModel) throws(StoreError) {
        guard rows.model === model else {
            throw StoreError(
                .modelMismatch, "The rows that are to be saved were made with another model than the store's."
            )
        }
        guard rows.loadedColumns == nil else {
            throw StoreError(.unsupportedRequest, "Rows that were fetched in part can't be saved.")
        }
    }
}
