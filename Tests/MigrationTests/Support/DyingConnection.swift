import ChildProcesses
import ContextCore
import SQLStore

@testable import PostgresBackend
@testable import SQLiteBackend

/// A connection that dies before one of its statements, as that of a process does which is killed there.
///
/// What the process would do afterwards, it can't: nothing is rolled back or unlocked until the connection is closed.
final class DyingConnection: MigrationConnection {
    private(set) var isDead = false
    private let connection: any MigrationConnection
    private let deaths: Deaths?
    private let isDoubtful: Bool
    private var left: Int

    /// - Parameters:
    ///   - count: How many statements are run, those that begin and end transactions included.
    ///   - deaths: Hears of its death.
    ///   - isDoubtful: Whether it lives on, and the disk fails instead once that many transactions and one more are committed.
    init(
        _ connection: any MigrationConnection, after count: Int, _ deaths: Deaths? = nil,
        isDoubtful: Bool = false
    ) {
        self.connection = connection
        self.deaths = deaths
        self.isDoubtful = isDoubtful
        left = count
    }

    /// Whether the disk has failed.
    var hasDoubted: Bool { isDoubtful && left < 0 }

    static let doubt = StoreError(.inputOutput, "The disk failed.")
    static let death = StoreError(.database, "The process was killed.")

    private func live() throws(StoreError) {
        if isDead { throw Self.death }
    }

    private func step() throws(StoreError) {
        try live()
        if isDoubtful { return }
        if left == 0 {
            isDead = true
            deaths?.happen()
            throw Self.death
        }
        left -= 1
    }

    var spelling: MigrationDialect { connection.spelling }

    func tryLock() throws(StoreError) -> Bool {
        try live()
        return try connection.tryLock()
    }

    func lockHolder() -> String? { connection.lockHolder() }

    func unlock() { if !isDead { connection.unlock() } }

    func begin() throws(StoreError) {
        try step()
        try connection.begin()
    }

    func commit() throws(StoreError) {
        try step()
        try connection.commit()
        guard isDoubtful else { return }
        left -= 1
        if left == -1 { throw Self.doubt }
    }

    func rollback() { if !isDead { connection.rollback() } }

    func execute(_ sql: String) throws(StoreError) {
        try step()
        try connection.execute(sql)
    }

    func run(_ text: SQLText) throws(StoreError) {
        try step()
        try connection.run(text)
    }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try live()
        return try connection.rows(text, types)
    }

    func foreignObjects(besides own: [TableSchema]) throws(StoreError) -> [ForeignObject] {
        try live()
        return try connection.foreignObjects(besides: own)
    }

    func orphans(in tables: [String]) throws(StoreError) -> Set<String> {
        try live()
        return try connection.orphans(in: tables)
    }

    func physicalSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try live()
        return try connection.physicalSchema(of: tables)
    }

    func physicalSchema() throws(StoreError) -> PhysicalSchema {
        try live()
        return try connection.physicalSchema()
    }

    func backUp(to path: String) throws(StoreError) -> Bool { try connection.backUp(to: path) }

    func close() { connection.close() }
}

extension MigratedStore {
    /// Migrates while the disk fails once one of the transactions is committed; tells whether it came to that.
    func migrateDoubting(
        after count: Int, _ versions: [ModelVersion], _ options: MigrationOptions
    ) async throws -> Bool {
        try await onThread { [url] in
            let connection = try SQLiteMigrationConnection(SQLiteConfiguration(url))
            let doubtful = DyingConnection(connection, after: count, isDoubtful: true)
            let migrator = SQLMigrator(doubtful)
            defer { migrator.close() }
            do {
                _ = try migrator.migrate(to: ModelVersions(versions), options)
            } catch {
                if !doubtful.hasDoubted { throw error }
            }
            return doubtful.hasDoubted
        }
    }

    /// Migrates with a process that is killed before one of its statements; tells whether it came to that.
    func migrateDying(
        after count: Int, _ versions: [ModelVersion], _ options: MigrationOptions = MigrationOptions()
    ) async throws -> Bool {
        try await onThread { [kind, url] in
            let connection: any MigrationConnection =
                switch kind {
                case .sqlite: try SQLiteMigrationConnection(SQLiteConfiguration(url))
                case .postgres: try PostgresMigrationConnection(PostgresConfiguration(url), options)
                }
            let dying = DyingConnection(connection, after: count)
            let migrator = SQLMigrator(dying)
            defer { migrator.close() }
            do {
                _ = try migrator.migrate(to: ModelVersions(versions), options)
            } catch {
                if !dying.isDead { throw error }
            }
            return dying.isDead
        }
    }
}
