package import ContextCore

extension RowReader {
    /// The changes of a batch, with those of derived attributes that follow from them.
    ///
    /// - Parameter holds: Whether others may write at the same time.
    package func derived(_ changes: ChangeSet, holding holds: Bool = false) throws(StoreError) -> ChangeSet {
        let model = mapping.model
        if !model.derives(from: changes) { return changes }
        do {
            let rows = try FetchedRows(ReaderFetching(reader: self), changes, model)
            let derived = DerivedChanges(changes, over: rows)
            return try holds ? derived.completedHolding() : derived.completed()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.database, "What follows from a batch can't be worked out: \(error)")
        }
    }
}

/// A reader as what rows are fetched from.
private struct ReaderFetching<Reader: RowReader>: FetchingSession {
    let reader: Reader

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try reader.fetch(plan) }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try reader.rows(keys, entityIndex: entityIndex)
    }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { try reader.related(plan) }
}
