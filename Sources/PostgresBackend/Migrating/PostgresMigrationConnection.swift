#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// The connection of a migration: one session holds the lock and runs all statements.
///
/// One thread at a time may use it.
final class PostgresMigrationConnection: MigrationConnection {
    let migrationDialect = MigrationDialect.postgres
    private let connection: PostgresConnection
    private let schema: String
    private let lockTimeout: Int64
    private var storeLockKey: Int64 = 0
    private var holdsLock = false

    init(_ configuration: PostgresConfiguration, _ options: MigrationOptions) throws(StoreError) {
        if configuration.isPooled {
            throw StoreError(
                .configuration,
                "A store can't be migrated through a pooler: it would lose the lock between two statements.",
                remedy: "Use the address of the server instead of the pooler's, without pooler=on.")
        }
        var configuration = configuration
        configuration.preparesStatements = false
        configuration.statementTimeout = nil
        connection = try PostgresConnection(configuration)
        schema = configuration.schema
        lockTimeout = options.lockTimeout.wholeMilliseconds
        try checkStore()
        // New objects are created in the store's schema; the server still searches pg_catalog first.
        try connection.execute("SET search_path = \(configuration.quotedSchema), pg_temp")
        // A statement fails where row security would hide rows from the role, which a migration would lose.
        try connection.execute("SET row_security = off")
        if Self.detectsLostClients(serverVersion: connection.serverVersion) {
            // Servers on some systems reject the setting, which doesn't matter.
            try? connection.execute("SET client_connection_check_interval = '500ms'")
        }
        try connection.execute("SET idle_in_transaction_session_timeout = '60s'")
        // Concurrent steps, such as building indexes, block no other sessions, and would have to start again after a timeout.
        try connection.execute("SET lock_timeout = 0; SET statement_timeout = 0")
        storeLockKey = try storeNumber()
    }

    /// Returns whether a server can detect during a statement that its client is gone, and then releases the lock.
    ///
    /// Older versions detect it only after the statement.
    static func detectsLostClients(serverVersion: Int32) -> Bool { serverVersion >= 140_000 }

    private func checkStore() throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.stored(StoreNames.metadata))
        let known = try connection.run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        guard known.integer(0, 0) != 0 else { throw StoreError.missingStoreError(schema: schema) }
    }

    /// Returns the key of the store's advisory locks.
    private func storeNumber() throws(StoreError) -> Int64 {
        PostgresStore.lockKey(of: try StoreCatalog(connection: connection).storeID())
    }

    // MARK: Lock

    /// Tries to take the lock without waiting, since a waiting statement would block concurrent index builds.
    func tryLock() throws(StoreError) -> Bool {
        holdsLock =
            try connection.integer(
                "SELECT pg_catalog.pg_try_advisory_lock(\(Self.lockClassID), \(lockObjectID))::int") == 1
        guard holdsLock else { return false }
        // An idle pooler may assign the same session to each transaction, but it reports another process number.
        let held = try connection.integer(
            """
            SELECT count(*) FROM pg_catalog.pg_locks \
            WHERE \(lockCondition) AND pid = pg_catalog.pg_backend_pid() AND pid = \(connection.process.pid)
            """)
        if held ?? 0 > 0 { return true }
        throw StoreError(
            .configuration,
            "A store can't be migrated through a pooler, and there is a pooler between the program and the server.",
            remedy: "Use the address of the server instead of the pooler's.")
    }

    /// The first half of the advisory lock's key, which other programs are unlikely to use; the second half identifies the store.
    static let lockClassID: Int32 = 0x436F_6E75
    private var lockObjectID: Int32 { Self.lockObjectID(of: storeLockKey) }

    /// Returns the second half of a store's lock key.
    static func lockObjectID(of storeLockKey: Int64) -> Int32 {
        Int32(truncatingIfNeeded: storeLockKey ^ (storeLockKey >> 32))
    }

    /// The condition that selects the store's granted lock in `pg_locks`.
    private var lockCondition: String {
        """
        locktype = 'advisory' AND classid = \(Self.lockClassID) AND objid = \(UInt32(bitPattern: lockObjectID))::oid AND granted \
        AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
        """
    }

    func lockHolder() -> String? {
        let holder = try? connection.run(
            """
            SELECT 'server process ' || a.pid || ' of ' || coalesce(host(a.client_addr), 'this machine') || ', ' || a.application_name \
            || coalesce(', user ' || a.usename, '') \
            || coalesce(', connected since ' || pg_catalog.to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', '') \
            FROM (SELECT pid FROM pg_catalog.pg_locks WHERE \(lockCondition)) AS l \
            JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid LIMIT 1
            """)
        return holder.flatMap { $0.count > 0 ? $0.text(0, 0) : nil }
    }

    func unlock() {
        guard holdsLock, connection.isAlive else { return }
        holdsLock = false
        try? connection.execute("SELECT pg_catalog.pg_advisory_unlock(\(Self.lockClassID), \(lockObjectID))")
    }

    // MARK: Transactions

    /// Begins a transaction with a lock that excludes writers of this library, and waits for it up to the lock timeout.
    ///
    /// Its isolation level is read committed, whatever the server's default is.
    func begin() throws(StoreError) {
        do throws(StoreError) {
            try connection.execute(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = \(lockTimeout); \
                LOCK TABLE \(connection.configuration.stored(StoreNames.history)) IN SHARE ROW EXCLUSIVE MODE
                """)
        } catch {
            rollback()
            throw error.addingLockHolder(of: .writers, on: connection)
        }
    }

    func commit() throws(StoreError) { try connection.commit() }

    func rollback() { connection.rollback() }

    // MARK: Statements

    var isInTransaction: Bool { connection.isInTransaction }

    func execute(_ sql: String) throws(StoreError) {
        do throws(StoreError) {
            try connection.execute(sql)
        } catch {
            throw addingTableLockHolder(to: Self.explainingDependentObject(in: error))
        }
    }

    /// Adds the process that uses the tables to the error of a lock timeout.
    ///
    /// It finds the process with another connection, since this one's transaction has failed.
    private func addingTableLockHolder(to error: StoreError) -> StoreError {
        guard error.isLockTimeout,
            let other = try? PostgresConnection(connection.configuration, canInquire: false)
        else { return error }
        return error.addingLockHolder(of: .tables, on: other)
    }

    /// Explains the error of a user-defined object that depends on a dropped one, such as a view of a column.
    private static func explainingDependentObject(in error: StoreError) -> StoreError {
        guard error.detail?.contains("SQLSTATE 2BP01") == true else { return error }
        return StoreError(
            .migrationRefused,
            "A user-defined object, such as a view, depends on a table or column that the migration drops.",
            remedy: "Drop the object before the migration, and create it again afterwards.",
            detail: error.detail)
    }

    func run(_ text: SQLText) throws(StoreError) { try connection.run(text) }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        try connection.rows(text, types)
    }

    // MARK: Existing objects

    /// Returns the user-defined objects on the tables, which stay when a table is altered, except those of a dropped column.
    func userDefinedObjects(besides own: [TableSchema]) throws(StoreError) -> [UserObject] {
        try SchemaReader(connection: connection).others(among: own)
    }

    func userObjectDescriptions(on own: [TableSchema]) throws(StoreError) -> [String] {
        try SchemaReader(connection: connection).userObjectDescriptions(on: own)
    }

    /// The largest number of rows that is counted exactly; larger numbers are estimated.
    private static let maximumExactCount = 10_000

    /// Returns the exact or estimated number of rows; nil if the table is locked or may not be read.
    func rowCount(of table: String) throws(StoreError) -> RowCount? {
        do throws(StoreError) {
            try connection.execute(
                "BEGIN READ ONLY; SET LOCAL lock_timeout = \(lockTimeout); SET LOCAL statement_timeout = '5s'"
            )
            defer { rollback() }
            return try count(table)
        } catch {
            if [.busy, .contention, .timeout, .accessDenied].contains(error.code) { return nil }
            throw error
        }
    }

    private func count(_ table: String) throws(StoreError) -> RowCount? {
        let name = SQLDialect.postgres.quoted(table)
        var parameters = PostgresParameters()
        parameters.append(name)
        let known = try connection.run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        guard known.integer(0, 0) != 0 else { return nil }
        let few = Int(
            try connection.integer(
                "SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT \(Self.maximumExactCount + 1)) AS few")
                ?? 0)
        if few <= Self.maximumExactCount { return RowCount(rows: few, isEstimated: false) }
        // The planner's estimate, from pg_class.reltuples and the growth of the table since.
        let plan = try connection.run("EXPLAIN (FORMAT JSON) SELECT 1 FROM \(name)").text(0, 0)
        return RowCount(rows: max(few, Self.plannedRows(plan) ?? 0), isEstimated: true)
    }

    /// Returns the estimated number of rows of a plan with one node.
    private static func plannedRows(_ plan: String) -> Int? {
        guard let document = try? JSONDocument(plan), case .array(let plans) = JSONValue(document.root),
            case .object(let members)? = plans.first, case .object(let node)? = members["Plan"],
            case .number(let rows)? = node["Plan Rows"]
        else { return nil }
        return Int(rows)
    }

    func orphans(in tables: [String]) throws(StoreError) -> Set<String>? { nil }

    func physicalSchema() throws(StoreError) -> PhysicalSchema { try connection.liveSchema() }

    /// Returns the schema of tables as the server reports it, after creating them as temporary tables and rolling back.
    func expectedSchema(for tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try connection.execute("BEGIN")
        defer { rollback() }
        return try SchemaReader(connection: connection).newStoreSchema(of: tables)
    }

    // MARK: Copies

    func backUp(to path: String) throws(StoreError) -> Bool {
        throw StoreError(
            .unsupportedRequest, "A migration can't back up a store on a server to a file.",
            remedy: "Run pg_dump or 'storectl data export' before the migration.")
    }

    func close() {
        unlock()
        connection.forceClose()
    }
}
#endif
