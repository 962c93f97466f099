import ContextCore
import SQLStore

@testable import PostgresBackend
@testable import SQLiteBackend

/// A connection to which everything comes by way of a test, which may get in between.
class RelayedConnection: MigrationConnection {
    private let connection: any MigrationConnection

    init(_ connection: any MigrationConnection) { self.connection = connection }

    // MARK: For those who get in between

    /// Somebody is about to look at something.
    func willLook() throws(StoreError) {}
    /// Somebody is about to begin or end a transaction.
    func willTurn() throws(StoreError) {}
    /// A transaction was committed.
    func hasCommitted() throws(StoreError) {}
    /// Somebody is about to run a statement.
    func willRun(_ sql: String) throws(StoreError) {}
    /// Whether a statement is kept from the database.
    func isOmitted(_ sql: String) -> Bool { false }
    /// A question was answered, by so many rows.
    func hasAnswered(_ sql: String, _ count: Int) {}
    /// Whether anything reaches the database any more.
    var isDead: Bool { false }

    // MARK: What goes on

    final var spelling: MigrationDialect { connection.spelling }
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

    final func userObjects(on own: [TableSchema]) throws(StoreError) -> [String] {
        try willLook()
        return try connection.userObjects(on: own)
    }

    final func foreignObjects(besides own: [TableSchema]) throws(StoreError) -> [UserObject] {
        try willLook()
        return try connection.foreignObjects(besides: own)
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

    final func physicalSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try willLook()
        return try connection.physicalSchema(of: tables)
    }

    final func backUp(to path: String) throws(StoreError) -> Bool { try connection.backUp(to: path) }
    final func close() { connection.close() }
}

extension MigratedStore {
    /// Connects to the store as a migration does, by way of a test.
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
