#if SQLite
import CSQLite
import ContextCore

/// A prepared statement, used only by its connection's thread.
///
/// Text and data are bound by pointer without a copy, so the memory must stay valid while the statement is stepped.
final class SQLiteStatement {
    let handle: OpaquePointer
    let sql: String
    // The connection keeps its statements and finalizes them before it is deallocated.
    private unowned(unsafe) let connection: SQLiteConnection
    /// The cache's counter at the last use.
    var lastUse = 0

    init(handle: OpaquePointer, sql: String, connection: SQLiteConnection) {
        self.handle = handle
        self.sql = sql
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// Steps the statement; returns whether there is a row.
    @inline(__always)
    func step() throws(StoreError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        throw connection.error(result, statement: sql)
    }

    /// Runs a statement that returns no rows.
    func run() throws(StoreError) {
        while try step() {}
    }

    /// Runs a statement that passes its rows to the row-gathering function.
    func gather(into rows: inout PackedRows) throws(StoreError) {
        try withUnsafeMutablePointer(to: &rows) { rows throws(StoreError) in
            try connection.gather(self, .rows(rows))
        }
    }

    /// Runs a statement that passes links to the row-gathering function: owner, target, and position if it is ordered.
    func gather(into links: inout [RelatedRows.Link]) throws(StoreError) {
        try withUnsafeMutablePointer(to: &links) { links throws(StoreError) in
            try connection.gather(self, .links(links))
        }
    }

    /// Resets the statement and clears its bindings.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Resets the statement to step it again with new values; the bindings stay.
    @inline(__always)
    func rewind() {
        sqlite3_reset(handle)
    }
}

// MARK: - Binding

extension SQLiteStatement {
    @inline(__always)
    func bindNull(_ index: Int32) {
        sqlite3_bind_null(handle, index)
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: Int64) {
        sqlite3_bind_int64(handle, index, value)
    }

    @inline(__always)
    func bind(_ index: Int32, _ value: Double) {
        // Adding zero turns negative zero into zero.
        sqlite3_bind_double(handle, index, value + 0)
    }

    /// Binds text without a copy; it must stay valid until the statement is reset.
    @inline(__always)
    func bindText(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        // assumingMemoryBound: bytes may be read as any type of one byte.
        let base = (bytes.baseAddress ?? Self.emptyBytes).assumingMemoryBound(to: CChar.self)
        try check(
            sqlite3_bind_text64(handle, index, base, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
    }

    /// Binds bytes without a copy; they must stay valid until the statement is reset.
    ///
    /// An empty buffer is bound as an empty blob, not as null.
    @inline(__always)
    func bindBlob(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try check(
            sqlite3_bind_blob64(handle, index, bytes.baseAddress ?? Self.emptyBytes, UInt64(bytes.count), nil)
        )
    }

    /// Binds a copy of a text.
    func bind(_ index: Int32, _ value: String) throws(StoreError) {
        var value = value
        let result = value.withUTF8 { bytes in
            // assumingMemoryBound: bytes may be read as any type of one byte.
            let base = (UnsafeRawPointer(bytes.baseAddress) ?? Self.emptyBytes).assumingMemoryBound(
                to: CChar.self)
            return sqlite3_bind_text64(
                handle, index, base, UInt64(bytes.count), Self.transientDestructor, UInt8(SQLITE_UTF8))
        }
        try check(result)
    }

    /// Binds a copy of some bytes.
    func bindCopy(_ index: Int32, _ bytes: [UInt8]) throws(StoreError) {
        let result = bytes.withUnsafeBytes { bytes in
            sqlite3_bind_blob64(
                handle, index, bytes.baseAddress ?? Self.emptyBytes, UInt64(bytes.count),
                Self.transientDestructor)
        }
        try check(result)
    }

    @inline(__always)
    private func check(_ result: Int32) throws(StoreError) {
        if result != SQLITE_OK { throw connection.error(result, statement: sql) }
    }

    /// The address for empty values, because a null pointer would bind or return null.
    // nonisolated(unsafe): one byte that is never written.
    nonisolated(unsafe) static let emptyBytes: UnsafeRawPointer = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

    /// SQLITE_TRANSIENT, which makes SQLite copy a value.
    static var transientDestructor: sqlite3_destructor_type {
        // unsafeBitCast: the header defines it as the address -1, which is never called.
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}

// MARK: - Reading

extension SQLiteStatement {
    @inline(__always)
    func isNull(_ index: Int32) -> Bool {
        sqlite3_column_type(handle, index) == SQLITE_NULL
    }

    @inline(__always)
    func integer(_ index: Int32) -> Int64 {
        sqlite3_column_int64(handle, index)
    }

    @inline(__always)
    func double(_ index: Int32) -> Double {
        sqlite3_column_double(handle, index)
    }

    /// Returns the bytes of a text or blob, valid until the next step.
    @inline(__always)
    func bytes(_ index: Int32) -> UnsafeRawBufferPointer { value(index).bytes }

    func text(_ index: Int32) throws(StoreError) -> String { try text(value(index)) }

    func text(_ value: SQLiteValue) throws(StoreError) -> String {
        String(decoding: try textBytes(value), as: UTF8.self)
    }

    /// Returns the bytes of a text of this statement.
    ///
    /// - Throws: ``StoreError/Code/corrupt`` for bytes that are not valid UTF-8, because repairing them would change the text.
    @inline(__always)
    func textBytes(_ value: SQLiteValue) throws(StoreError) -> UnsafeRawBufferPointer {
        let bytes = value.bytes
        if WellFormedText.isValidUTF8(bytes) { return bytes }
        throw corruptValueError("UTF-8 text")
    }

    /// Returns the error for a value that this library can't have written.
    func corruptValueError(_ kind: String) -> StoreError {
        StoreError(
            .corrupt, "A row contains an invalid value where \(kind) is expected.",
            remedy:
                "Restore a backup, or copy the readable rows into a new store with 'storectl maintain recover'.",
            detail: "Statement: \(sql)")
    }
}
#endif
