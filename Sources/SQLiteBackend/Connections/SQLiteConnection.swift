#if SQLite
import CSQLite
import ContextCore

/// The state of the store when a connection last checked it, valid until another connection commits.
struct CachedStoreState {
    /// SQLite's `data_version`, which is meaningful only on the same connection.
    let version: Int64
    /// The position of the last save.
    var sequence: Int64
    /// The numbers of the entities from whose reserved key blocks no other process has used a key.
    var usableBlocks: [Int] = []
}

/// A connection to a database, with its prepared statements.
///
/// One thread at a time uses it: that of the session that holds the connection. SQLite's own locking is off (`SQLITE_OPEN_NOMUTEX`).
// @unchecked: a coordinator passes a connection from session to session under its own lock.
final class SQLiteConnection: @unchecked Sendable {
    /// What a connection is allowed to do.
    enum Access: Sendable {
        case read
        case readAndWrite
    }

    let handle: OpaquePointer
    let access: Access
    let busy: BusyDeadline
    /// Interrupts statements on cancellation or timeout.
    let watch: StatementWatch
    /// Tracks the length of the write-ahead log after this connection's commits.
    let log = LogGauge()
    /// The state of the store when this connection last checked it.
    var cachedState: CachedStoreState?
    /// Whether this connection has checked that its file is in place.
    var hasCheckedFile = false
    private let trace: StatementTrace?
    private let gatherer = RowGatherer()
    private let statementHook: StatementHook?
    // Finalizing a statement calls only SQLite, so there is no reentrancy while the cache changes.
    @exclusivity(unchecked) private var cache: StatementCache
    /// The most frequent statements, by their ``FrequentStatement`` numbers.
    // As above.
    @exclusivity(unchecked) private var frequentStatements = [SQLiteStatement?](
        repeating: nil, count: FrequentStatement.allCases.count)
    private var hasBegun = false
    private var isAbandoned = false
    private var isClosed = false

    /// Opens an existing file.
    ///
    /// - Parameters:
    ///   - recovers: Whether a read connection may recover the journal of a killed writer, which requires write access.
    ///   - isImmutable: Whether no process changes the file, so that SQLite takes no locks and creates no files beside it.
    /// - Throws: ``StoreError/Code/readOnly`` if SQLite could open the file only for reading, which it doesn't report itself.
    init(
        path: String, access: Access, timeout: Duration, testHooks: SQLiteTestHooks = SQLiteTestHooks(),
        recovers: Bool = false, isImmutable: Bool = false, statementCapacity: Int = 128,
        statementTimeout: Duration? = nil, trace: StatementTrace? = nil
    ) throws(StoreError) {
        var database: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        flags |= access == .read && !recovers ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        if isImmutable { flags |= SQLITE_OPEN_URI }
        let name = isImmutable ? Self.immutableName(of: path) : path
        let result = sqlite3_open_v2(name, &database, flags, testHooks.fileSystem)
        guard result == SQLITE_OK, let database else {
            let message = database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(database)
            throw StoreError.sqlite(result, detail: message)
        }
        handle = database
        self.access = access
        statementHook = testHooks.statementHook
        watch = StatementWatch(timeout: statementTimeout)
        busy = BusyDeadline(timeout: timeout, watch: watch)
        self.trace = trace
        cache = StatementCache(capacity: statementCapacity)
        busy.attach(to: database)
        watch.attach(to: database, testHooks)
        trace?.attach(to: database)
        if access == .readAndWrite, sqlite3_db_readonly(database, "main") != 0 {
            throw StoreError.sqlite(SQLITE_READONLY, detail: "opened for reading only")
        }
    }

    deinit { close() }

    /// Returns the name that opens a file as immutable (https://www.sqlite.org/uri.html).
    private static func immutableName(of path: String) -> String {
        let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
        return "file:" + escaped + "?immutable=1"
    }

    /// Closes the connection; does nothing if it is closed already.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        cache.removeAll()
        for index in frequentStatements.indices { frequentStatements[index] = nil }
        sqlite3_close_v2(handle)
    }

    /// Removes and returns the number of lookups in the cache of prepared statements since the last call.
    func removeCacheCounts() -> DatabaseStatistics.Cache { cache.removeCounts() }

    /// Whether a statement has been stepped but not finished.
    var hasBusyStatements: Bool {
        var statement = sqlite3_next_stmt(handle, nil)
        while let current = statement {
            if sqlite3_stmt_busy(current) != 0 { return true }
            statement = sqlite3_next_stmt(handle, current)
        }
        return false
    }

    /// The number of rows that the last statement inserted, updated or deleted.
    @inline(__always)
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    /// The number of rows that all statements inserted, updated or deleted.
    var totalChangedRows: Int64 { sqlite3_total_changes64(handle) }

    // MARK: Transactions

    /// Whether a transaction is open.
    ///
    /// SQLite rolls back automatically after some errors, so this is checked after every error.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction.
    ///
    /// Until it is committed or rolled back, no statement runs outside of it: if SQLite rolled back automatically, later statements would
    /// otherwise commit one by one, and half of a save would be stored.
    func begin(writing: Bool) throws(StoreError) {
        defer { busy.start = nil }
        try execute(writing ? .beginWriting : .begin)
        (hasBegun, isAbandoned) = (true, false)
    }

    /// Commits the transaction; if it throws, the transaction may still be open.
    func commit() throws(StoreError) {
        try execute(.commit)
        hasBegun = false
    }

    /// Rolls back the transaction, unless SQLite has already done so.
    ///
    /// If that fails, the connection is still in a transaction and must not be used again.
    func rollback() {
        if hasBegun { discardUsableBlocks() }
        hasBegun = false
        if isInTransaction { try? end("ROLLBACK") }
    }

    /// Rolls back a transaction after a failed partial rollback, so that later statements in it throw.
    func abandonTransaction() {
        rollback()
        (hasBegun, isAbandoned) = (true, true)
    }

    /// Discards the list of usable key blocks, because a rollback may restore deleted rows with keys of these blocks.
    private func discardUsableBlocks() { cachedState?.usableBlocks = [] }

    /// Rolls back to a savepoint, which stays active.
    func rollback(to savepoint: StaticString) throws(StoreError) {
        discardUsableBlocks()
        try end("ROLLBACK TO \(savepoint)")
    }

    /// Releases a savepoint.
    func forget(_ savepoint: StaticString) throws(StoreError) { try end("RELEASE \(savepoint)") }

    /// Runs a statement that must not be interrupted.
    private func end(_ sql: String) throws(StoreError) {
        let statement = try statement(sql, isWatched: false)
        defer { statement.reset() }
        try statement.run()
    }

    /// Ends a read transaction.
    func endReading() {
        if isInTransaction { try? commit() }
        rollback()
    }

    /// Whether SQLite or ``abandonTransaction()`` has rolled back the transaction.
    var hasLostTransaction: Bool { hasBegun && (isAbandoned || !isInTransaction) }

    private static let lostTransactionError = StoreError(
        .inputOutput,
        "A disk or memory error rolled back the transaction. Nothing of it was saved.",
        remedy: "Save again.")

    private static let abandonedTransactionError = StoreError(
        .inputOutput, "An earlier error rolled back the whole transaction. Nothing of it was saved.",
        remedy: "Save again.")

    private func checkTransaction() throws(StoreError) {
        if hasLostTransaction {
            throw isAbandoned ? Self.abandonedTransactionError : Self.lostTransactionError
        }
    }

    // MARK: Statements

    /// Returns a prepared statement, from the cache if possible.
    ///
    /// The caller must reset it after use.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        try statement(sql, isWatched: true)
    }

    private func statement(_ sql: String, isWatched: Bool) throws(StoreError) -> SQLiteStatement {
        try checkTransaction()
        if let statementHook { try statementHook.check(sql) }
        if isWatched { try watch.start() }
        if let statement = cache.statement(sql) { return statement }
        let statement = try prepare(sql)
        cache.insert(statement)
        return statement
    }

    /// Returns a frequent statement, which the caller must reset after use.
    func statement(_ kind: FrequentStatement) throws(StoreError) -> SQLiteStatement {
        try checkTransaction()
        if let statementHook { try statementHook.check(kind.sql) }
        try watch.start()
        if let statement = frequentStatements[kind.rawValue] { return statement }
        let statement = try prepare(kind.sql)
        frequentStatements[kind.rawValue] = statement
        return statement
    }

    /// Runs a statement without parameters that returns no rows.
    func execute(_ sql: String) throws(StoreError) { try run(statement(sql)) }

    /// Runs a frequent statement without parameters that returns no rows.
    func execute(_ kind: FrequentStatement) throws(StoreError) { try run(statement(kind)) }

    private func run(_ statement: SQLiteStatement) throws(StoreError) {
        defer { statement.reset() }
        try statement.run()
    }

    /// Registers the row-gathering function on this connection.
    func registerGatherer() throws(StoreError) {
        let result = gatherer.register(on: handle)
        if result != SQLITE_OK { throw error(result) }
        let limit = sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
        if limit >= FunctionSpelling.maximumGatheredColumns { return }
        throw StoreError(
            .database, "This build of SQLite doesn't support enough function arguments.",
            remedy: "Use a build of SQLite with the default limits.",
            detail:
                "A function may have \(limit) arguments, and \(FunctionSpelling.maximumGatheredColumns) are needed."
        )
    }

    /// Runs a statement that passes its rows to the row-gathering function.
    func gather(_ statement: SQLiteStatement, _ place: RowGatherer.Destination) throws(StoreError) {
        trace?.gatheredRows = { place.count }
        defer { trace?.gatheredRows = nil }
        try gatherer.run(statement, place)
    }

    /// Runs a statement that returns one integer.
    func integer(_ sql: String) throws(StoreError) -> Int64? { try integer(statement(sql)) }

    /// Runs a frequent statement that returns one integer.
    func integer(_ kind: FrequentStatement) throws(StoreError) -> Int64? { try integer(statement(kind)) }

    private func integer(_ statement: SQLiteStatement) throws(StoreError) -> Int64? {
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Runs a statement that returns one text.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return try statement.text(0)
    }

    func error(_ result: Int32, statement: String? = nil) -> StoreError {
        let message = String(cString: sqlite3_errmsg(handle))
        if result == SQLITE_INTERRUPT || StoreError.isBusy(result) && watch.isCancelled {
            return watch.error(detail: "SQLite \(result): \(message)")
        }
        let error = StoreError.sqlite(result, detail: message, statement: statement)
        return result & 0xFF == SQLITE_BUSY && busy.timeout > .zero
            ? error.addingLockHolder(lockHolder) : error
    }

    /// The other process that holds locks on the database, if it is known.
    private var lockHolder: LockHolder? {
        guard let path = sqlite3_db_filename(handle, "main").map({ String(cString: $0) }), !path.isEmpty
        else { return nil }
        return LockHolder(ofDatabase: path)
    }

    private func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var sql = sql
        var handle: OpaquePointer?
        let database = self.handle
        let result = sql.withUTF8 { bytes in
            // withMemoryRebound: bytes may be read as any type of one byte.
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    database, text.baseAddress, Int32(clamping: text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &handle,
                    nil)
            }
        }
        guard result == SQLITE_OK, let handle else { throw error(result, statement: sql) }
        return SQLiteStatement(handle: handle, sql: sql, connection: self)
    }
}
#endif
