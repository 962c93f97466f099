package import ContextCore

extension RowReader {
    /// Returns the change set of an update by predicate, with one group per entity.
    package func changes(of batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> ChangeSet {
        let rows = try fetch(
            FetchPlan(
                entityIndex: batch.entityIndex, includesSubentities: batch.includesSubentities,
                predicate: batch.predicate))
        var changes = ChangeSet(author: batch.author)
        let groups = Dictionary(grouping: 0..<rows.count) { rows.entityIndex(at: $0) }
        for (entityIndex, members) in groups.sorted(by: { $0.key < $1.key }) {
            var builder = RowBatchBuilder(model: mapping.model)
            for row in members {
                builder.append(row, of: rows, version: rows.version(at: row) &+ 1)
                for (column, value) in values { builder.set(column, to: value) }
            }
            changes.updates.append(
                ChangeSet.Update(
                    entityIndex: entityIndex, columns: values.keys.sorted(), rows: try builder.finish(),
                    baseVersions: members.map { rows.version(at: $0) }))
        }
        return changes
    }
}
