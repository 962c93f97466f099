#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// The connection by which a store on a server is migrated: one session for the lock and for everything that is run.
///
/// State: its connection, used by one thread at a time.
final class PostgresMigrationConnection: MigrationConnection {
    let spelling = MigrationDialect.postgres
    private let connection: PostgresConnection
    private let schema: String
    private let lockTimeout: Int64
    private var storeLock: Int64 = 0
    private var holdsLock = false

    init(_ configuration: PostgresConfiguration, _ options: MigrationOptions) throws(StoreError) {
        if configuration.isPooled {
            throw StoreError(
                .configuration,
                "A store can't be migrated through a pooler: it would lose the lock between two statements.",
                remedy: "Name the server itself, without pooler=on.")
        }
        var configuration = configuration
        configuration.preparesStatements = false
        configuration.statementTimeout = nil
        connection = try PostgresConnection(configuration)
        schema = configuration.schema
        lockTimeout = options.lockTimeout.wholeMilliseconds
        try checkStore()
        // What is made goes into the store's schema; the server's own names come before it all the same.
        try connection.execute("SET search_path = \(configuration.quotedSchema), pg_temp")
        if Self.noticesLostClients(serverVersion: connection.serverVersion) {
            // The server refuses it where its system can't do that; the connection is none the worse for it.
            try? connection.execute("SET client_connection_check_interval = '500ms'")
        }
        try connection.execute("SET idle_in_transaction_session_timeout = '60s'")
        // What is done beside the work of others waits for them as long as it takes, and keeps nobody; to give up would be to begin anew.
        try connection.execute("SET lock_timeout = 0; SET statement_timeout = 0")
        storeLock = try storeNumber()
    }

    /// Whether a server that is at work for a client which is gone can find out in time, and let go of the lock.
    ///
    /// One that can't finds out when the statement is done.
    static func noticesLostClients(serverVersion: Int32) -> Bool { serverVersion >= 140_000 }

    private func checkStore() throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.stored(StoreNames.metadata))
        let known = try connection.run("SELECT pg_catalog.to_regclass($1) IS NOT NULL", parameters)
        guard known.integer(0, 0) != 0 else {
            throw StoreError(
                .notAStore, "The schema \(schema) of the database holds no store.",
                remedy: "Correct the database, or the URL's setting schema.")
        }
    }

    /// The number by which the store's locks are called.
    private func storeNumber() throws(StoreError) -> Int64 {
        PostgresStore.lockNumber(of: try StoreCatalogue(connection: connection).storeID())
    }

    // MARK: Lock

    /// It is tried, and never waited for: who waits inside of a statement keeps indexes from being made concurrently.
    func tryLock() throws(StoreError) -> Bool {
        holdsLock =
            try connection.integer(
                "SELECT pg_catalog.pg_try_advisory_lock(\(Self.lockSpace), \(lockName))::int") == 1
        guard holdsLock else { return false }
        // A pooler that has few clients may give each transaction the same session until others come, but it tells of another process.
        let held = try connection.integer(
            """
            SELECT count(*) FROM pg_catalog.pg_locks \
            WHERE \(lockRow) AND pid = pg_catalog.pg_backend_pid() AND pid = \(connection.process.number)
            """)
        if held ?? 0 > 0 { return true }
        throw StoreError(
            .configuration,
            "The lock isn't held by the session that was opened: there is a pooler between it and the program.",
            remedy: "Name the server itself.")
    }

    /// Any number that others are unlikely to lock by; the second half is the store's.
    static let lockSpace: Int32 = 0x436F_6E75
    private var lockName: Int32 { Self.lockName(of: storeLock) }

    /// The second half of the lock of a store.
    static func lockName(of storeLock: Int64) -> Int32 {
        Int32(truncatingIfNeeded: storeLock ^ (storeLock >> 32))
    }

    /// What tells the lock, once somebody has it, from those of other stores and other databases of the server.
    private var lockRow: String {
        """
        locktype = 'advisory' AND classid = \(Self.lockSpace) AND objid = \(UInt32(bitPattern: lockName))::oid AND granted \
        AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
        """
    }

    func lockHolder() -> String? {
        let holder = try? connection.run(
            """
            SELECT 'server process ' || a.pid || ' of ' || coalesce(host(a.client_addr), 'this machine') || ', ' || a.application_name \
            || coalesce(', user ' || a.usename, '') \
            || coalesce(', connected since ' || pg_catalog.to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', '') \
            FROM (SELECT pid FROM pg_catalog.pg_locks WHERE \(lockRow)) AS l \
            JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid LIMIT 1
            """)
        return holder.flatMap { $0.count > 0 ? $0.text(0, 0) : nil }
    }

    func unlock() {
        guard holdsLock, connection.isAlive else { return }
        holdsLock = false
        try? connection.execute("SELECT pg_catalog.pg_advisory_unlock(\(Self.lockSpace), \(lockName))")
    }

    // MARK: Transactions

    /// Nobody writes beside it by means of this library, and nobody waits behind it for longer than the lock's time.
    ///
    /// Each of its statements sees what others have committed before it, whatever the server does by itself.
    func begin() throws(StoreError) {
        do throws(StoreError) {
            try connection.execute(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = \(lockTimeout); \
                LOCK TABLE \(connection.configuration.stored(StoreNames.history)) IN SHARE ROW EXCLUSIVE MODE
                """)
        } catch {
            rollback()
            throw error.namingHolder(of: .writers, on: connection)
        }
    }

    func commit() throws(StoreError) { try connection.commit() }

    func rollback() {
        if connection.isAlive, connection.isInTransaction { try? connection.execute("ROLLBACK") }
    }

    // MARK: Statements

    func execute(_ sql: String) throws(StoreError) {
        do throws(StoreError) {
            try connection.execute(sql)
        } catch {
            throw naming(Self.explained(error))
        }
    }

    /// Names who uses the tables that were waited for in vain; another connection asks, for this one's transaction has failed.
    private func naming(_ error: StoreError) -> StoreError {
        guard error.isLockTimeout,
            let other = try? PostgresConnection(connection.configuration, mayInquire: false)
        else { return error }
        return error.namingHolder(of: .tables, on: other)
    }

    /// Something of somebody else's stands in the way: a view of a column that goes, for instance.
    private static func explained(_ error: StoreError) -> StoreError {
        guard error.detail?.contains("SQLSTATE 2BP01") == true else { return error }
        return StoreError(
            .migrationRefused, "Something that is not the store's own depends on what is to be dropped.",
            remedy: "Drop it first, and make it again afterwards.", detail: error.detail)
    }

    func run(_ text: SQLText) throws(StoreError) { try connection.run(text) }

    func rows(_ text: SQLText, _ types: [SQLType]) throws(StoreError) -> [[StoredValue]] {
        let result = try connection.run(text)
        var rows: [[StoredValue]] = []
        rows.reserveCapacity(result.count)
        for index in 0..<result.count {
            var row: [StoredValue] = []
            for (place, type) in types.enumerated() { row.append(try result.value(index, place, type)) }
            rows.append(row)
        }
        return rows
    }

    // MARK: What is there

    /// Tables are altered in place, so what others have put on them stays, but for what goes with a column.
    func foreignObjects(besides own: [TableSchema]) throws(StoreError) -> [ForeignObject] {
        try SchemaReading(connection).others(among: own)
    }

    func userObjects(on own: [TableSchema]) throws(StoreError) -> [String] {
        try SchemaReading(connection).userObjects(on: own)
    }

    /// Up to how many rows are counted.
    private static let fewRows = 10_000

    /// It is a look at the server by the way: it holds nobody up, and gives up where somebody keeps others from the table.
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
                "SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT \(Self.fewRows + 1)) AS few") ?? 0)
        if few <= Self.fewRows { return RowCount(rows: few, isEstimated: false) }
        // Of pg_class.reltuples, and of how the table has grown since: what the server plans by.
        let plan = try connection.run("EXPLAIN (FORMAT JSON) SELECT 1 FROM \(name)").text(0, 0)
        return RowCount(rows: max(few, Self.plannedRows(plan) ?? 0), isEstimated: true)
    }

    /// The number of rows that a plan of one node answers, as the server reckons.
    private static func plannedRows(_ plan: String) -> Int? {
        guard let document = try? JSONDocument(plan), case .array(let plans) = JSONValue(document.root),
            case .object(let members)? = plans.first, case .object(let node)? = members["Plan"],
            case .number(let rows)? = node["Plan Rows"]
        else { return nil }
        return Int(rows)
    }

    func orphans(in tables: [String]) throws(StoreError) -> Set<String>? { nil }

    func physicalSchema() throws(StoreError) -> PhysicalSchema {
        try SchemaReading(connection).schema(in: "current_schema()::regnamespace")
    }

    /// They are made for the session alone, and taken back.
    func physicalSchema(of tables: [TableSchema]) throws(StoreError) -> PhysicalSchema {
        try connection.execute("BEGIN")
        defer { rollback() }
        return try SchemaReading(connection).freshSchema(of: tables)
    }

    // MARK: Copies

    func backUp(to path: String) throws(StoreError) -> Bool {
        throw StoreError(
            .unsupportedRequest, "A store on a server is not copied into a file by a migration.",
            remedy: "Run pg_dump, or “storectl data export”, before.")
    }

    func close() {
        unlock()
        connection.hangUp()
    }
}
#endif
