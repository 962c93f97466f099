import ContextCore

/// The derived attributes of all rows before a batch, to restore them after it.
struct StaleDerivations {
    private let session: any WriteSession
    private let model: ObjectModel
    private let before: [(layout: EntityLayout, rows: RowBatch)]

    init(_ session: any WriteSession, _ model: ObjectModel) throws {
        self.session = session
        self.model = model
        before = try model.layouts.filter { !$0.derivations.isEmpty && !$0.isAbstract }.map { layout in
            (layout, try session.fetch(FetchPlan(entityIndex: layout.index, includesSubentities: false)))
        }
    }

    /// Restores the derived attributes of the rows that still exist.
    func restore() throws {
        var changes = ChangeSet()
        for (layout, old) in before {
            let rows = try session.rows((0..<old.count).map(old.key), entityIndex: layout.index)
            let places = Dictionary(uniqueKeysWithValues: (0..<old.count).map { (old.key(at: $0), $0) })
            let columns = layout.derivations.flatMap { Array(layout.properties[$0.slot].columns) }
            var builder = RowBatchBuilder(model: model)
            for row in 0..<rows.count {
                builder.append(row, of: rows, version: rows.version(at: row) + 1)
                guard let place = places[rows.key(at: row)] else { continue }
                for column in columns { builder.set(column, to: old.value(column, at: place)) }
            }
            changes.updates.append(
                ChangeSet.Update(
                    entityIndex: layout.index, columns: columns.sorted(), rows: try builder.finish(),
                    baseVersions: (0..<rows.count).map(rows.version)))
        }
        _ = try session.apply(changes)
    }
}
