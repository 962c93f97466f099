package import ContextCore

/// The mappings of a store's own tables: those of the model in force and, during a migration, those of the previous and the newer
/// model.
package struct StoreTableMappings {
    /// The metadata key of the unfinished migration.
    package static let runKey = MigrationMetadata.run
    /// The metadata key of the number of its completed steps.
    package static let doneKey = MigrationMetadata.done

    /// The mappings of the model in force and of the previous model, in that order.
    private let mappings: [StoreMapping]
    /// The mapping of the model that the store is being migrated to.
    private let newer: StoreMapping?
    /// The tables of the newer model that exist, or nil to include them all.
    private let existingTables: Set<String>?
    private let maximumNameLength: Int?

    /// Determines the tables that the store has at present.
    ///
    /// Tables that the migration has yet to create are not included, because a user-defined table may have the same name. A migration
    /// record that can't be decoded, such as one of another version of the library, is ignored.
    ///
    /// - Parameters:
    ///   - models: The models in the store.
    ///   - run: The record of the unfinished migration, or nil if there is none.
    ///   - done: The number of its completed steps, as text.
    ///   - numbers: The entity numbers.
    package init(
        models: [StoredModel], run: String?, done: String?, numbers: [String: Int], maximumNameLength: Int?
    ) throws {
        let record: RunRecord? = run.flatMap { try? MigrationMetadata.decoded($0) }
        try self.init(
            models: models, record: record, done: done.flatMap { Int($0) } ?? 0, numbers: numbers,
            maximumNameLength: maximumNameLength)
    }

    /// - Parameter done: The number of completed steps, or nil to include tables that are yet to be created.
    init(
        models: [StoredModel], record run: RunRecord?, done: Int? = nil, numbers: [String: Int],
        maximumNameLength: Int?
    ) throws {
        let numbers = numbers.merging(run?.numbers ?? [:]) { known, _ in known }
        func mapping(_ model: ObjectModel) -> StoreMapping {
            StoreMapping(model, numbers: numbers, maximumNameLength: maximumNameLength)
        }
        let before = run == nil ? [] : models.dropLast().suffix(1)
        let older = before.compactMap { try? ObjectModel(fileText: $0.fileText) }
        mappings = ([try ObjectModel(currentAmong: models)] + older).map(mapping)
        newer = run.flatMap { try? ObjectModel(fileText: $0.model) }.map(mapping)
        existingTables = done.map { Self.tables(madeBy: run?.steps.prefix($0) ?? []) }
        self.maximumNameLength = maximumNameLength
    }

    /// Returns the tables, possibly with duplicates.
    package func tables() throws(StoreError) -> [TableSchema] {
        var tables: [TableSchema] = []
        for mapping in mappings {
            tables += try SchemaBuilder(mapping, maximumNameLength: maximumNameLength).tables()
        }
        if let newer {
            tables += try SchemaBuilder(newer, maximumNameLength: maximumNameLength).tables().filter {
                exists($0.name)
            }
        }
        return tables + temporaryTables.map { TableSchema($0, columns: []) }
    }

    /// The purpose of each table, including the tables of the store's metadata.
    package var roles: [String: TableFacts.Role] {
        var roles: [String: TableFacts.Role] = [:]
        if let newer { roles = Self.roles(of: newer).filter { exists($0.key) } }
        for mapping in mappings.reversed() { roles.merge(Self.roles(of: mapping)) { $1 } }
        for name in StoreTables.all.map(\.name) + temporaryTables { roles[name] = .store }
        return roles
    }

    private static func roles(of mapping: StoreMapping) -> [String: TableFacts.Role] {
        var roles: [String: TableFacts.Role] = [:]
        for root in mapping.roots { roles[root.table] = .objects(entityName: root.layout.name) }
        for table in mapping.joinTables { roles[table.name] = .links }
        for root in mapping.roots {
            for external in mapping.externalColumns(of: root.table).compactMap(\.external) {
                roles[external.table] = .values(entityName: root.layout.name)
            }
        }
        return roles
    }

    /// The temporary tables of the migration.
    private var temporaryTables: [String] {
        (existingTables ?? []).filter { $0.hasPrefix(SchemaTransition.pending) }.sorted {
            $0.precedesByBytes($1)
        }
    }

    private func exists(_ table: String) -> Bool { existingTables?.contains(table) ?? true }

    /// Extracts the names of tables that the steps' statements create or rename to.
    private static func tables(madeBy steps: ArraySlice<MigrationStep>) -> Set<String> {
        var names: Set<String> = []
        for statement in steps.flatMap(\.statements) {
            for statementStart in ["CREATE TABLE \"", " RENAME TO \""] {
                guard let start = statement.firstRange(of: statementStart)?.upperBound,
                    let end = statement[start...].firstIndex(of: "\"")
                else { continue }
                names.insert(String(statement[start..<end]))
            }
        }
        return names
    }
}
