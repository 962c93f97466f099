import ContextCore
import SQLStore

@testable import PostgresBackend
@testable import SQLiteBackend

/// A connection that forwards everything, with hooks for tests.
class RelayedConnection: MigrationConnection {
    private let connection: any MigrationConnection

    init(_ connection: any MigrationConnection) { self.connection = connection }

    // MARK: Hooks

    /// Called before a query.
    func willLook() throws(StoreError) {}
    /// Called before a transaction begins or ends.
    func willTurn() throws(StoreError) {}
    /// Called after a commit.
    func hasCommitted() throws(StoreError) {}
    /// Called before a statement.
    func willRun(_ sql: String) throws(StoreError) {}
    /// Returns whether a statement is skipped.
    func isOmitted(_ sql: String) -> Bool { false }
    /// Called after a query, with the number of its rows.
    func hasAnswered(_ sql: String, _ count: Int) {}
    /// Whether the connection forwards nothing any more.
    var isDead: Bool { false }

    // MARK: Forwarding

    final var migrationDialect: MigrationDialect { connection.migrationDialect }
    final var isInTransaction: Bool { connection.isInTransaction }

    final func tryLock() throws(StoreError) -> Bool {
        try willLook()
        return try connection.tryLock()
    }

    final func lockHolder() -> String? { connection.lockHolder() }
    final func unlock() { if !isDead { connection.unlock() } }

    final func begin() throws(StoreError) {
        try willTurn()
        try connection.begin()
    }

    final func commit() throws(StoreError) {
        try willTurn()
        try connection.commit()
        try hasCommitted()
    }

    final func rollback() { if !isDead { connection.rollback() } }

    final func execute(_ sql: String) throws(StoreError) {
        try willRun(sql)
        if !isOmitted(sql) { try connection.execute(sql) }
    }

    final func run(_ text: SQLText) throws(StoreError) {
        try willRun(text.sql)
        try connection.run(text)
    }

    final func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try willLook()
        let rows = try connection.rows(text, types)
        hasAnswered(text.sql, rows.count)
        return rows
    }

    final func userObjectDescriptions(on own: [TableSchema]) throws(StoreError) -> [String] {
        try willLook()
        return try connection.userObjectDescriptions(on: own)
    }

    final func userDefinedObjects(besides own: [TableSchema]) throws(StoreError) -> [UserObject] {
        try willLook()
        return try connection.userDefinedObjects(besides: own)
    }

    final func rowCount(of table: String) throws(StoreError) -> RowCount? {
        try willLook()
        return try connection.rowCount(of: table)
    }

    final func orphans(in tables: [String]) throws(StoreError) -> Set<String>? {
        try willLook()
        return try connection.orphans(in: tables)
    }

    final func physicalSchema() throws(StoreError) -> PhysicalSchema {
        try willLook()
        return try connection.physicalSchema()
    }

    final func expectedSchema(for tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try willLook()
        return try connection.expectedSchema(for: tables)
    }

    final func backUp(to path: String) throws(StoreError) -> Bool { try connection.backUp(to: path) }
    final func close() { connection.close() }
}

extension MigratedStore {
    /// Connects to the store as a migration does, with a relayed connection.
    static func connect<Relayed: RelayedConnection>(
        _ kind: StoreKind, _ url: StoreURL, _ options: MigrationOptions,
        _ relay: (any MigrationConnection) -> Relayed
    ) throws -> Relayed {
        switch kind {
        case .sqlite: relay(try SQLiteMigrationConnection(SQLiteConfiguration(url)))
        case .postgres: relay(try PostgresMigrationConnection(PostgresConfiguration(url), options))
        }
    }
}
