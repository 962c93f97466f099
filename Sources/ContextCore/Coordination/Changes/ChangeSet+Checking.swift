extension ChangeSet {
    /// Throws if the rows were made with another model than the store's, or are incomplete.
    ///
    /// A partially fetched row has no values in its other columns, which a save would overwrite.
    package func check(for model: ObjectModel) throws(StoreError) {
        for group in inserts {
            try Self.check(group.rows, model)
            try model.layouts[group.entityIndex].checkIndexSizes(group.rows, changing: nil)
        }
        for group in updates {
            try Self.check(group.rows, model)
            try model.layouts[group.entityIndex].checkIndexSizes(group.rows, changing: group.columns)
        }
    }

    private static func check(_ rows: RowBatch, _ model: ObjectModel) throws(StoreError) {
        guard rows.model === model else {
            throw StoreError(
                .modelMismatch, "The rows to save were made with another model than the store's.",
                remedy: "Make the rows with the model with which the store was opened.")
        }
        guard rows.loadedColumns == nil else {
            throw StoreError(
                .unsupportedRequest, "Partially fetched rows can't be saved.",
                remedy: "Fetch the rows with all of their columns.")
        }
    }
}
