import ContextCore

/// Compares the tables of a store with those of a new store.
///
/// User-defined tables, and user-defined indexes on the store's tables, are ignored unless they have the prefix of a migration's
/// temporary names.
package struct SchemaDrift {
    private let expected: PhysicalSchema
    private let live: PhysicalSchema

    package init(expected: PhysicalSchema, live: PhysicalSchema) {
        self.expected = expected
        self.live = live
    }

    /// A sentence for each difference.
    package var sentences: [String] {
        let missing = expected.tables.keys.filter { live.tables[$0] == nil }
        let left = live.tables.keys.filter(Self.isTemporaryName)
        let others = expected.tables.sortedByName.flatMap { name, table in
            live.tables[name].map { differences(name, table, $0) } ?? []
        }
        return missing.sorted { $0.precedesByBytes($1) }.map { "The table \($0) is missing." }
            + left.sorted { $0.precedesByBytes($1) }.map { "The table \($0) is left over from a migration." }
            + others
    }

    private func differences(
        _ name: String, _ table: PhysicalSchema.Table, _ found: PhysicalSchema.Table
    ) -> [String] {
        var sentences: [String] = []
        for (column, definition) in table.columns.sortedByName {
            switch found.columns[column] {
            case nil: sentences.append("The column \(name).\(column) is missing.")
            case definition: break
            case let other?:
                sentences.append("The column \(name).\(column) is \(other) instead of \(definition).")
            }
        }
        for (column, _) in found.columns.sortedByName where table.columns[column] == nil {
            sentences.append("The column \(name).\(column) is not in the model.")
        }
        for definition in table.constraints.subtracting(found.constraints).sorted(by: {
            $0.precedesByBytes($1)
        }) {
            sentences.append("The table \(name) lacks \(definition).")
        }
        for definition in found.constraints.subtracting(table.constraints).sorted(by: {
            $0.precedesByBytes($1)
        }) {
            sentences.append("The table \(name) has an unexpected \(definition).")
        }
        for (index, definition) in table.indexes.sortedByName {
            switch found.indexes[index] {
            case nil: sentences.append("The index \(index) of \(name) is missing.")
            case definition: break
            case let other?:
                sentences.append("The index \(index) of \(name) is \(other) instead of \(definition).")
            }
        }
        for (index, _) in found.indexes.sortedByName where Self.isTemporaryName(index) {
            sentences.append("The index \(index) of \(name) is left over from a migration.")
        }
        return sentences
    }

    private static func isTemporaryName(_ name: String) -> Bool {
        name.hasPrefix(SchemaTransition.pending) || name.hasPrefix(SchemaTransition.moved)
    }
}

extension Dictionary where Key == String {
    fileprivate var sortedByName: [(key: String, value: Value)] { sorted { $0.key.precedesByBytes($1.key) } }
}
