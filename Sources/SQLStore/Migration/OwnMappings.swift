package import ContextCore

/// How the tables that are a store's own are mapped: those of the model in force; while a migration is on its way, also those of the
/// model before it and of the newer one.
package struct OwnMappings {
    /// The note with the migration that was begun.
    package static let runNote = MigrationNotes.run

    /// That of the model in force first.
    private let mappings: [StoreMapping]
    private let longestName: Int?

    /// - Parameters:
    ///   - models: The models that the store keeps.
    ///   - run: What it notes of the migration that was begun; nil where none was.
    ///   - numbers: The numbers that stand for entities.
    package init(
        models: [StoredModel], run: String?, numbers: [String: Int], longestName: Int?
    ) throws {
        try self.init(
            models: models,
            record: run.map { text throws(StoreError) -> RunRecord in try MigrationNotes.decoded(text) },
            numbers: numbers, longestName: longestName)
    }

    init(models: [StoredModel], record run: RunRecord?, numbers: [String: Int], longestName: Int?) throws {
        let others = run.map { [$0.model] + models.suffix(2).map(\.fileText) } ?? []
        let numbers = numbers.merging(run?.numbers ?? [:]) { known, _ in known }
        let all =
            [try ObjectModel(inForceAmong: models)] + others.compactMap { try? ObjectModel(fileText: $0) }
        mappings = all.map { StoreMapping($0, numbers: numbers, longestName: longestName) }
        self.longestName = longestName
    }

    /// The tables; one may be there several times.
    package func tables() throws(StoreError) -> [TableSchema] {
        var tables: [TableSchema] = []
        for mapping in mappings { tables += try SchemaBuilder(mapping, longestName: longestName).tables() }
        return tables
    }

    /// What each table is there for, those included that a store keeps for itself.
    package var roles: [String: TableFacts.Role] {
        var roles: [String: TableFacts.Role] = [:]
        for mapping in mappings.reversed() {
            for root in mapping.roots { roles[root.table] = .objects(entityName: root.layout.name) }
            for table in mapping.linkTables { roles[table.name] = .links }
        }
        for table in StoreTables.all { roles[table.name] = .store }
        return roles
    }
}
