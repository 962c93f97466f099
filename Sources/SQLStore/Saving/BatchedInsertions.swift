package import ContextCore

/// The insertions of several saves as one change set, with a history record for each save.
package struct BatchedInsertions {
    /// The rows of all saves, grouped by entity.
    package let changes: ChangeSet
    /// The history record of each save, in their order.
    package let records: [Record]

    /// The history record of one save.
    package struct Record {
        package let author: String?
        package let contextName: String?
        package let history: HistoryEncoder

        package init(author: String?, contextName: String?, history: HistoryEncoder) {
            self.author = author
            self.contextName = contextName
            self.history = history
        }
    }

    /// - Parameter changeSets: Change sets that contain only insertions.
    package init(_ changeSets: [ChangeSet], _ mapping: StoreMapping) throws(StoreError) {
        for changes in changeSets {
            try changes.check(for: mapping.model)
            try RowSizeCheck().check(changes, mapping.model)
        }
        records = changeSets.map { changes in
            var history = HistoryEncoder()
            for insertion in changes.inserts { history.append(insertion, mapping) }
            return Record(author: changes.author, contextName: changes.contextName, history: history)
        }
        changes = try Self.joined(changeSets, mapping.model)
    }

    private static func joined(
        _ changeSets: [ChangeSet], _ model: ObjectModel
    ) throws(StoreError) -> ChangeSet {
        if changeSets.count == 1 { return changeSets[0] }
        let parts = Dictionary(grouping: changeSets.flatMap(\.inserts), by: \.entityIndex)
        var joined = ChangeSet()
        for (entityIndex, parts) in parts.sorted(by: { $0.key < $1.key }) {
            var builder = RowBatchBuilder(model: model)
            for part in parts {
                for row in 0..<part.rows.count { builder.append(row, of: part.rows) }
            }
            joined.inserts.append(
                ChangeSet.Insertion(entityIndex: entityIndex, rows: try builder.finish()))
        }
        return joined
    }
}
