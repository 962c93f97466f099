#if SQLite
import CSQLite
import ContextCore
import SQLStore

/// Gives columns of all rows that fulfil a predicate values.
struct BatchUpdate {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// Updates by one statement, and returns what the history is to say; nil where that has to be done row by row.
    ///
    /// Somebody has to look where references lead, and which rows have equal values that must not be.
    func run(_ batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> HistoryEncoder? {
        let entity = store.mapping.entities[batch.entityIndex]
        if values.keys.contains(where: { entity.columns[$0].type == .key }) { return nil }
        let text = try BatchCompiler(store.mapping, .sqlite).update(batch, values)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var keys: [Int: [Int64]] = [:]
        do throws(StoreError) {
            while try statement.step() {
                let number = entity.hasEntityColumn ? Int(statement.integer(1)) : entity.number
                keys[number, default: []].append(statement.integer(0))
            }
        } catch {
            if error.code == .duplicate, connection.isInTransaction { return nil }
            throw error
        }
        var history = HistoryEncoder()
        let names = entity.propertyNames(ofColumns: Array(values.keys))
        for (number, keys) in keys.sorted(by: { $0.key < $1.key }) {
            history.append(.update, entity: number, properties: names, keys: keys.sorted())
        }
        return history
    }

    /// The same as a change set: new rows, a group an entity.
    func changes(of batch: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> ChangeSet {
        let reader = SessionReader(store: store, connection: connection)
        let rows = try reader.fetch(
            FetchPlan(
                entityIndex: batch.entityIndex, includesSubentities: batch.includesSubentities,
                predicate: batch.predicate))
        var changes = ChangeSet(author: batch.author)
        let groups = Dictionary(grouping: 0..<rows.count) { rows.entityIndex(at: $0) }
        for (entityIndex, members) in groups.sorted(by: { $0.key < $1.key }) {
            var builder = RowBatchBuilder(model: store.model)
            for row in members {
                builder.append(row, of: rows, version: rows.version(at: row) &+ 1)
                for (column, value) in values { builder.set(column, to: value) }
            }
            changes.updates.append(
                ChangeSet.Update(
                    entityIndex: entityIndex, columns: values.keys.sorted(), rows: builder.finish(),
                    baseVersions: members.map { rows.version(at: $0) }))
        }
        return changes
    }
}
#endif
