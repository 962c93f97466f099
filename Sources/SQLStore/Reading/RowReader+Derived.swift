package import ContextCore

extension RowReader {
    /// Returns the changes of a batch together with the resulting changes of derived attributes.
    ///
    /// - Parameter holds: Whether other transactions may write at the same time.
    package func derived(_ changes: ChangeSet, holding holds: Bool = false) throws(StoreError) -> ChangeSet {
        let model = mapping.model
        if !model.derives(from: changes) { return changes }
        do {
            let rows = try DerivationRows(ReaderFetching(reader: self), changes, model)
            let derived = DerivedChanges(changes, over: rows)
            return try holds ? derived.completedWithLocks() : derived.completed()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                .database, "The derived attributes of a batch can't be computed: \(error)",
                remedy: "This is a bug in the library. Please report it.")
        }
    }
}

/// Adapts a reader to the protocol for fetching rows.
private struct ReaderFetching<Reader: RowReader>: FetchingSession {
    let reader: Reader

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try reader.fetch(plan) }
    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try reader.rows(keys, entityIndex: entityIndex)
    }
    func related(_ plan: RelatedPlan) throws -> RelatedRows { try reader.related(plan) }
}
