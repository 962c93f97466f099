package import ContextCore

/// How the tables that are a store's own are mapped: those of the model in force; while a migration is on its way, also those of the
/// model before it and of the newer one.
package struct OwnMappings {
    /// The note with the migration that was begun.
    package static let runNote = MigrationNotes.run
    /// The note with the number of its steps that are done.
    package static let doneNote = MigrationNotes.done

    /// That of the model in force first.
    private let mappings: [StoreMapping]
    /// That of the model that the store is on its way to.
    private let newer: StoreMapping?
    /// The tables of the newer model that are there by now; nil where it doesn't matter.
    private let made: Set<String>?
    private let longestName: Int?

    /// The tables that the store has by now.
    ///
    /// What the migration has yet to make isn't the store's own: somebody else may have a table of that name. A migration that another
    /// version of the library has noted, in a way that can't be read, counts as none.
    ///
    /// - Parameters:
    ///   - models: The models that the store keeps.
    ///   - run: What it notes of the migration that was begun; nil where none was.
    ///   - done: What it notes of the steps of it that are done.
    ///   - numbers: The numbers that stand for entities.
    package init(
        models: [StoredModel], run: String?, done: String?, numbers: [String: Int], longestName: Int?
    ) throws {
        let record: RunRecord? = run.flatMap { try? MigrationNotes.decoded($0) }
        try self.init(
            models: models, record: record, done: done.flatMap { Int($0) } ?? 0, numbers: numbers,
            longestName: longestName)
    }

    /// - Parameter done: How many steps are done; nil where those tables count too that are yet to be made.
    init(
        models: [StoredModel], record run: RunRecord?, done: Int? = nil, numbers: [String: Int],
        longestName: Int?
    ) throws {
        let numbers = numbers.merging(run?.numbers ?? [:]) { known, _ in known }
        func mapping(_ model: ObjectModel) -> StoreMapping {
            StoreMapping(model, numbers: numbers, longestName: longestName)
        }
        let before = run == nil ? [] : models.dropLast().suffix(1)
        let older = before.compactMap { try? ObjectModel(fileText: $0.fileText) }
        mappings = ([try ObjectModel(inForceAmong: models)] + older).map(mapping)
        newer = run.flatMap { try? ObjectModel(fileText: $0.model) }.map(mapping)
        made = done.map { Self.tables(madeBy: run?.steps.prefix($0) ?? []) }
        self.longestName = longestName
    }

    /// The tables; one may be there several times.
    package func tables() throws(StoreError) -> [TableSchema] {
        var tables: [TableSchema] = []
        for mapping in mappings { tables += try SchemaBuilder(mapping, longestName: longestName).tables() }
        if let newer {
            tables += try SchemaBuilder(newer, longestName: longestName).tables().filter { isThere($0.name) }
        }
        return tables + passing.map { TableSchema($0, columns: []) }
    }

    /// What each table is there for, those included that a store keeps for itself.
    package var roles: [String: TableFacts.Role] {
        var roles: [String: TableFacts.Role] = [:]
        if let newer { roles = Self.roles(of: newer).filter { isThere($0.key) } }
        for mapping in mappings.reversed() { roles.merge(Self.roles(of: mapping)) { $1 } }
        for name in StoreTables.all.map(\.name) + passing { roles[name] = .store }
        return roles
    }

    private static func roles(of mapping: StoreMapping) -> [String: TableFacts.Role] {
        var roles: [String: TableFacts.Role] = [:]
        for root in mapping.roots { roles[root.table] = .objects(entityName: root.layout.name) }
        for table in mapping.linkTables { roles[table.name] = .links }
        for root in mapping.roots {
            for external in mapping.externalColumns(of: root.table).compactMap(\.external) {
                roles[external.table] = .values(entityName: root.layout.name)
            }
        }
        return roles
    }

    /// The tables that are there only until the migration is done.
    private var passing: [String] {
        (made ?? []).filter { $0.hasPrefix(SchemaTransition.pending) }.sorted { $0.precedes($1) }
    }

    private func isThere(_ table: String) -> Bool { made?.contains(table) ?? true }

    /// The names that tables have got by steps, as the statements of these say it.
    private static func tables(madeBy steps: ArraySlice<MigrationStep>) -> Set<String> {
        var names: Set<String> = []
        for statement in steps.flatMap(\.statements) {
            for words in ["CREATE TABLE \"", " RENAME TO \""] {
                guard let start = statement.firstRange(of: words)?.upperBound,
                    let end = statement[start...].firstIndex(of: "\"")
                else { continue }
                names.insert(String(statement[start..<end]))
            }
        }
        return names
    }
}
