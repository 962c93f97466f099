#if SQLite
import CSQLite
import ContextCore

/// One connection to a database, with its prepared statements.
///
/// State: the C handle and the cache, used by one thread at a time: the one of the session that holds the connection. SQLite
/// is told not to lock (`SQLITE_OPEN_NOMUTEX`).
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
    /// Called with every statement before it is run; tests make statements fail by it.
    var probe: (@Sendable (String) throws(StoreError) -> Void)?
    private var cache: StatementCache
    private var isClosed = false

    /// Opens a file that is there.
    ///
    /// - Throws: ``StoreError/Code/readOnly`` when SQLite could open the file for reading only, which it would not say by itself.
    init(
        path: String, access: Access, timeout: Duration, uri: Bool = false, statementCapacity: Int = 128
    ) throws(StoreError) {
        var database: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        flags |= access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        if uri { flags |= SQLITE_OPEN_URI }
        let result = sqlite3_open_v2(path, &database, flags, nil)
        guard result == SQLITE_OK, let database else {
            let words = database.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(database)
            throw StoreError.sqlite(result, detail: words)
        }
        handle = database
        self.access = access
        busy = BusyDeadline(timeout: timeout)
        cache = StatementCache(capacity: statementCapacity)
        busy.attach(to: database)
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
        sqlite3_close_v2(handle)
    }

    /// Whether a transaction is open.
    ///
    /// SQLite ends one by itself after some errors, so this is looked at after every error.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// How many rows the last statement inserted, changed or deleted.
    @inline(__always)
    var changedRows: Int { Int(sqlite3_changes64(handle)) }

    /// The statement of a text, prepared now or earlier.
    ///
    /// Whoever takes it resets it when done.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let probe { try probe(sql) }
        if let statement = cache.statement(sql) { return statement }
        let statement = try prepare(sql)
        cache.insert(statement)
        return statement
    }

    /// Runs a statement without values that answers no rows.
    func execute(_ sql: String) throws(StoreError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.run()
    }

    /// Runs a statement that answers one number.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.integer(0)
    }

    /// Runs a statement that answers one text.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        guard try statement.step(), !statement.isNull(0) else { return nil }
        return statement.text(0)
    }

    /// Stops what the connection is doing.
    ///
    /// May be called on any thread while the connection is open.
    func interrupt() {
        sqlite3_interrupt(handle)
    }

    func error(_ result: Int32, statement: String? = nil) -> StoreError {
        .sqlite(result, detail: String(cString: sqlite3_errmsg(handle)), statement: statement)
    }

    private func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var sql = sql
        var handle: OpaquePointer?
        let database = self.handle
        let result = sql.withUTF8 { bytes in
            // withMemoryRebound: bytes may be read as any type of one byte.
            bytes.withMemoryRebound(to: CChar.self) { text in
                sqlite3_prepare_v3(
                    database, text.baseAddress, Int32(text.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle,
                    nil)
            }
        }
        guard result == SQLITE_OK, let handle else { throw error(result, statement: sql) }
        return SQLiteStatement(handle: handle, sql: sql, connection: self)
    }
}
#endif
