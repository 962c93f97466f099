import ContextCore

extension SchemaTransition {
    /// Returns the checks for rows whose text or data is too large for a new index.
    func sizeChecks(_ change: TableChange) -> [RowCheck] {
        guard let origin = change.origin else { return [] }
        return change.table.indexes.compactMap { index in
            let columns = index.columns.map(\.name)
            let older = columns.compactMap { change.origin(of: $0)?.name }
            let isKnown = origin.indexes.contains { Set(older).isSubset(of: $0.columns.map(\.name)) }
            if isKnown, older.count == columns.count { return nil }
            return sizeChecks(columns, in: origin, index.entities, change)
        }
    }

    private func sizeChecks(
        _ columns: [String], in origin: TableSchema, _ entities: [Int]?, _ change: TableChange
    ) -> RowCheck? {
        var sizes: [SQLFragment] = []
        var names: [String] = []
        let large = change.table.columns.filter {
            columns.contains($0.name) && [.text, .data, .json].contains($0.type)
        }
        let maximumBytes = IndexedColumns.maximumBytes(otherColumns: columns.count - large.count)
        for column in large where !change.derivedColumns.contains(column.name) {
            guard let source = change.sources[column.name], source != .nothing else { continue }
            names.append(column.name)
            sizes.append("coalesce(\(migrationDialect.byteCount(source.fragment, column.type)), 0)")
        }
        if sizes.isEmpty { return nil }
        var conditions: [SQLFragment] = change.condition.map { [$0] } ?? []
        if let entities, origin.columns.contains(where: { $0.name == StoreNames.entity }) {
            let numbers = entities.map { "\(number: $0)" as SQLFragment }.joined()
            conditions.append("\(name: StoreNames.entity) IN (\(numbers))")
        }
        conditions.append("\(sizes.joined(by: " + ")) > \(number: maximumBytes)")
        return RowCheck(
            "SELECT count(*) FROM \(name: origin.name) WHERE \(conditions.joined(by: " AND "))",
            "rows of \(change.table.name) have more than \(maximumBytes) bytes in \(names.joined(separator: ", ")), "
                + "too many for an index",
            rule: (
                "index-on-long-values",
                new.roots.first { $0.table == change.table.name }?.layout.name ?? change.table.name
            ))
    }
}
