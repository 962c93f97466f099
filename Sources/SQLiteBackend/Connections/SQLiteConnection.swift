#if SQLite
import CSQLite
import ContextCore

/// What a store's clock says, as long as no other connection commits.
struct StoreClock {
    /// SQLite's own number of what other connections have committed, which means something to its connection only.
    let version: Int64
    /// The number of the last save.
    var sequence: Int64
    /// The entities, by number, of which nobody else has used a key that was set aside for this process.
    var usableBlocks: [Int] = []
}

/// One connection to a database, with its prepared statements.
///
/// State: the C handle, the cache and whether a transaction was begun, used by one thread at a time: the one of the session that
/// holds the connection. SQLite is told not to lock (`SQLITE_OPEN_NOMUTEX`).
// @unchecked: a coordinator hands a connection from session to session under its own lock.
final class SQLiteConnection: @unchecked Sendable {
    /// What a connection may do.
    enum Access: Sendable {
        case read
        case readAndWrite
    }

    let handle: OpaquePointer
    let access: Access
    let busy: BusyDeadline
    /// What may end a statement before its end.
    let watch: StatementWatch
    /// How long the write-ahead log was after this connection's last commit.
    let log = LogGauge()
    /// What the store's clock said when this connection asked last.
    var clock: StoreClock?
    /// Whether the file was seen where it was opened.
    var isPlaced = false
    private let trace: StatementTrace?
    private let gatherer = RowGatherer()
    private let probe: StatementProbe?
    // Letting go of a statement calls nothing but SQLite, so nobody comes back while it changes.
    @exclusivity(unchecked) private var cache: StatementCache
    /// By the numbers of ``UsualStatement``.
    // As above.
    @exclusivity(unchecked) private var usual = [SQLiteStatement?](
        repeating: nil, count: UsualStatement.allCases.count)
    private var hasBegun = false
    private var isAbandoned = false
    private var isClosed = false

    /// Opens a file that is there.
    ///
    /// - Parameter recovers: Whether a connection that reads may finish what a killed writer has left, which means writing.
    /// - Throws: ``StoreError/Code/readOnly`` when SQLite could open the file for reading only, which it would not say by itself.
    init(
        path: String, access: Access, timeout: Duration, seams: SQLiteSeams = SQLiteSeams(),
        recovers: Bool = false, statementCapacity: Int = 128, statementTimeout: Duration? = nil,
        statementLog: StatementLog? = nil
    ) throws(StoreError) {
        var database: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        flags |= access == .read && !recovers ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let result = sqlite3_open_v2(path, &database, flags, seams.fileSystem)
        guard result == SQLITE_OK, let database else {
            let words = database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(database)
            throw StoreError.sqlite(result, detail: words)
        }
        handle = database
        self.access = access
        probe = seams.probe
        watch = StatementWatch(timeout: statementTimeout)
        busy = BusyDeadline(timeout: timeout, watch: watch)
        trace = statementLog.map(StatementTrace.init)
        cache = StatementCache(capacity: statementCapacity)
        busy.attach(to: database)
        watch.attach(to: database, seams)
        trace?.attach(to: database)
        if access == .readAndWrite, sqlite3_db_readonly(database, "main") != 0 {
            throw StoreError.sqlite(SQLITE_READONLY, detail: "opened for reading only")
        }
    }

    deinit { close() }

    /// Closes it; a second call does nothing.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        cache.removeAll()
        for index in usual.indices { usual[index] = nil }
        sqlite3_close_v2(handle)
    }

    /// Whether a statement is in the middle of its rows.
    var hasBusyStatements: Bool {
        var statement = sqlite3_next_stmt(handle, nil)
        while let current = statement {
            if sqlite3_stmt_busy(current) != 0 { return true }
            statement = sqlite3_next_stmt(handle, current)
        }
        return false
    }

    /// How many rows the last statement inserted, changed or deleted.
    @inline(__always)
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    /// How many rows all statements inserted, changed or deleted.
    var totalChangedRows: Int64 { sqlite3_total_changes64(handle) }

    // MARK: Transactions

    /// Whether a transaction is open.
    ///
    /// SQLite ends one by itself after some errors, so this is looked at after every error.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Begins a transaction.
    ///
    /// From here on, until it is committed or rolled back, no statement runs outside of it: were SQLite to end it by itself, the next
    /// statements would commit each by itself, and half a save would be in the store.
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

    /// Ends the transaction, if it has not ended by itself.
    ///
    /// A connection on which that fails is in a transaction still, and must not be used again.
    func rollback() {
        if hasBegun { doubtKeys() }
        hasBegun = false
        if isInTransaction { try? end("ROLLBACK") }
    }

    /// Undoes all of a transaction of which a part can't be undone; whoever goes on with it is told that it is lost.
    func abandon() {
        rollback()
        (hasBegun, isAbandoned) = (true, true)
    }

    /// Rows may be there again that the transaction had deleted, and have keys that were found to be free.
    private func doubtKeys() { clock?.usableBlocks = [] }

    /// Undoes what was done since a savepoint, which stays.
    func rollback(to savepoint: StaticString) throws(StoreError) {
        doubtKeys()
        try end("ROLLBACK TO \(savepoint)")
    }

    /// Lets go of a savepoint behind which nothing is left.
    func forget(_ savepoint: StaticString) throws(StoreError) { try end("RELEASE \(savepoint)") }

    /// Runs a statement that has to come to its end, whatever has become of those before it.
    private func end(_ sql: String) throws(StoreError) {
        let statement = try statement(sql, isWatched: false)
        defer { statement.reset() }
        try statement.run()
    }

    /// Ends a transaction that has changed nothing.
    func endReading() {
        if isInTransaction { try? commit() }
        rollback()
    }

    /// Whether the transaction that was begun has been ended by SQLite, or given up.
    var hasLostTransaction: Bool { hasBegun && (isAbandoned || !isInTransaction) }

    private static let lost = StoreError(
        .inputOutput,
        "An error of the disk or of memory ended the transaction; nothing of it was saved.",
        remedy: "Save again.")

    private static let abandoned = StoreError(
        .inputOutput, "What failed before took the whole transaction with it; nothing of it was saved.",
        remedy: "Save again.")

    private func checkTransaction() throws(StoreError) {
        if hasLostTransaction { throw isAbandoned ? Self.abandoned : Self.lost }
    }

    // MARK: Statements

    /// The statement of a text, prepared now or earlier.
    ///
    /// Whoever takes it resets it when done.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        try statement(sql, isWatched: true)
    }

    private func statement(_ sql: String, isWatched: Bool) throws(StoreError) -> SQLiteStatement {
        try checkTransaction()
        if let probe { try probe.check(sql) }
        if isWatched { try watch.start() }
        if let statement = cache.statement(sql) { return statement }
        let statement = try prepare(sql)
        cache.insert(statement)
        return statement
    }

    /// One of those that are at hand; whoever takes it resets it when done.
    func statement(_ kind: UsualStatement) throws(StoreError) -> SQLiteStatement {
        try checkTransaction()
        if let probe { try probe.check(kind.sql) }
        try watch.start()
        if let statement = usual[kind.rawValue] { return statement }
        let statement = try prepare(kind.sql)
        usual[kind.rawValue] = statement
        return statement
    }

    /// Runs a statement without values that answers no rows.
    func execute(_ sql: String) throws(StoreError) { try run(statement(sql)) }

    /// Runs a statement without values that answers no rows.
    func execute(_ kind: UsualStatement) throws(StoreError) { try run(statement(kind)) }

    private func run(_ statement: SQLiteStatement) throws(StoreError) {
        defer { statement.reset() }
        try statement.run()
    }

    /// Lets statements of this connection hand their rows to the gathering function.
    func registerGatherer() throws(StoreError) {
        let result = gatherer.register(on: handle)
        if result != SQLITE_OK { throw error(result) }
        let limit = sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1)
        if limit >= FunctionSpelling.mostGatheredColumns { return }
        throw StoreError(
            .database, "This SQLite can't do what a store needs.",
            remedy: "Use a library that is built with the usual limits.",
            detail:
                "A function may have \(limit) arguments, and \(FunctionSpelling.mostGatheredColumns) are needed."
        )
    }

    /// Runs a statement that hands its rows to the gathering function.
    func gather(_ statement: SQLiteStatement, _ place: RowGatherer.Place) throws(StoreError) {
        trace?.gatheredRows = { place.count }
        defer { trace?.gatheredRows = nil }
        try gatherer.run(statement, place)
    }

    /// Runs a statement that answers one number.
    func integer(_ sql: String) throws(StoreError) -> Int64? { try integer(statement(sql)) }

    /// Runs a statement that answers one number.
    func integer(_ kind: UsualStatement) throws(StoreError) -> Int64? { try integer(statement(kind)) }

    private func integer(_ statement: SQLiteStatement) throws(StoreError) -> Int64? {
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Runs a statement that answers one text.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return try statement.text(0)
    }

    func error(_ result: Int32, statement: String? = nil) -> StoreError {
        let words = String(cString: sqlite3_errmsg(handle))
        if result == SQLITE_INTERRUPT || StoreError.isBusy(result) && watch.isCancelled {
            return watch.error(detail: "SQLite \(result): \(words)")
        }
        let error = StoreError.sqlite(result, detail: words, statement: statement)
        return result & 0xFF == SQLITE_BUSY && busy.timeout > .zero ? error.naming(lockHolder) : error
    }

    /// The other process that holds the database's locks, as far as that can be told.
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
