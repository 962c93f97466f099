package import ContextCore

/// Reports how a kind of database limits a model, without a store.
package struct ModelExamination {
    private let model: ObjectModel
    private let migrationDialect: MigrationDialect

    package init(_ model: ObjectModel, _ migrationDialect: MigrationDialect) {
        self.model = model
        self.migrationDialect = migrationDialect
    }

    package var findings: [MigrationFinding] {
        get throws(StoreError) {
            let tables = try tables(maximumNameLength: migrationDialect.dialect.maximumNameLength)
            return try shortenedNames(tables) + tables.flatMap(exceededLimits)
        }
    }

    private func tables(maximumNameLength: Int?) throws(StoreError) -> [TableSchema] {
        try SchemaBuilder(
            StoreMapping(model, maximumNameLength: maximumNameLength), maximumNameLength: maximumNameLength
        ).tables()
    }

    /// Returns the names that are shortened.
    private func shortenedNames(_ tables: [TableSchema]) throws(StoreError) -> [MigrationFinding] {
        guard let longest = migrationDialect.dialect.maximumNameLength else { return [] }
        var findings: [MigrationFinding] = []
        for (table, wanted) in zip(tables, try self.tables(maximumNameLength: nil)) {
            var names = [("table", table.name, wanted.name)]
            names += zip(table.columns, wanted.columns).map { ("column", $0.name, $1.name) }
            names += zip(table.indexes, wanted.indexes).map { ("index", $0.name, $1.name) }
            for (kind, name, wanted) in names where name != wanted {
                findings.append(
                    MigrationFinding(
                        "identifier-too-long", .note, table.name,
                        "The name of the \(kind) \(wanted) has \(wanted.utf8.count) bytes, and \(migrationDialect.name) allows \(longest): there "
                            + "it is named \(name). If handwritten SQL refers to it, choose a shorter name."))
            }
        }
        return findings
    }

    /// Returns the limits of the database that a table exceeds.
    private func exceededLimits(_ table: TableSchema) -> [MigrationFinding] {
        var sentences: [String] = []
        if table.columns.count > migrationDialect.maximumColumns {
            sentences.append(
                "The table \(table.name) has \(table.columns.count) columns, and \(migrationDialect.name) allows \(migrationDialect.maximumColumns): "
                    + "move some of the attributes to another entity.")
        }
        for index in table.indexes where index.columns.count > migrationDialect.maximumIndexColumns {
            sentences.append(
                "The index \(index.name) has \(index.columns.count) columns, and \(migrationDialect.name) allows \(migrationDialect.maximumIndexColumns): "
                    + "index fewer properties.")
        }
        return sentences.map { MigrationFinding("backend-divergence", .error, table.name, $0) }
    }
}
