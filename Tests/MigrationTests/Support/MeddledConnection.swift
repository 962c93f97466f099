import ChildProcesses
import ContextCore
import SQLStore

@testable import PostgresBackend
@testable import SQLiteBackend

/// A connection before whose statements others do something.
final class MeddledConnection: MigrationConnection {
    private let connection: any MigrationConnection
    private let meddle: (String) -> Void
    private let watch: (String, Int) -> Void

    /// - Parameters:
    ///   - watch: Hears each question after it is answered, and by how many rows.
    ///   - meddle: Hears each statement before it is run.
    init(
        _ connection: any MigrationConnection, watch: @escaping (String, Int) -> Void = { _, _ in },
        _ meddle: @escaping (String) -> Void
    ) {
        self.connection = connection
        self.watch = watch
        self.meddle = meddle
    }

    var spelling: MigrationDialect { connection.spelling }
    func tryLock() throws(StoreError) -> Bool { try connection.tryLock() }
    func lockHolder() -> String? { connection.lockHolder() }
    func unlock() { connection.unlock() }
    func begin() throws(StoreError) { try connection.begin() }
    func commit() throws(StoreError) { try connection.commit() }
    func rollback() { connection.rollback() }

    func execute(_ sql: String) throws(StoreError) {
        meddle(sql)
        try connection.execute(sql)
    }

    func run(_ text: SQLText) throws(StoreError) {
        meddle(text.sql)
        try connection.run(text)
    }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        let rows = try connection.rows(text, types)
        watch(text.sql, rows.count)
        return rows
    }

    func foreignObjects(besides own: [TableSchema]) throws(StoreError) -> [ForeignObject] {
        try connection.foreignObjects(besides: own)
    }

    func orphans(in tables: [String]) throws(StoreError) -> Set<String> { try connection.orphans(in: tables) }

    func physicalSchema() throws(StoreError) -> PhysicalSchema { try connection.physicalSchema() }

    func physicalSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try connection.physicalSchema(of: tables)
    }

    func backUp(to path: String) throws(StoreError) -> Bool { try connection.backUp(to: path) }
    func close() { connection.close() }
}

extension MigratedStore {
    /// Migrates, while others do something before some of the statements.
    ///
    /// - Parameter watching: Hears each question, and by how many rows it was answered.
    func migrate(
        _ versions: [ModelVersion], meddling: @escaping @Sendable (String) -> Void = { _ in },
        watching: @escaping @Sendable (String, Int) -> Void = { _, _ in }
    ) async throws {
        let options = MigrationOptions()
        try await onThread { [kind, url] in
            let connection: any MigrationConnection =
                switch kind {
                case .sqlite: try SQLiteMigrationConnection(SQLiteConfiguration(url))
                case .postgres: try PostgresMigrationConnection(PostgresConfiguration(url), options)
                }
            let migrator = SQLMigrator(MeddledConnection(connection, watch: watching, meddling))
            defer { migrator.close() }
            _ = try migrator.migrate(to: ModelVersions(versions), options)
        }
    }
}
