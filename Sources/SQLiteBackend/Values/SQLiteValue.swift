#if SQLite
import CSQLite

/// A value of SQLite, valid while the statement is at its row or the function that received it runs.
///
/// Only the thread that uses its connection may read it.
struct SQLiteValue {
    let handle: OpaquePointer?

    @inline(__always)
    var isNull: Bool { sqlite3_value_type(handle) == SQLITE_NULL }

    @inline(__always)
    var integer: Int64 { sqlite3_value_int64(handle) }

    @inline(__always)
    var double: Double { sqlite3_value_double(handle) }

    /// The bytes of a text or blob.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer {
        let base = sqlite3_value_blob(handle)
        return UnsafeRawBufferPointer(start: base, count: Int(sqlite3_value_bytes(handle)))
    }
}

/// The values of one row: of a statement, or of a function that is called with the row.
protocol SQLiteRow {
    func value(_ place: Int32) -> SQLiteValue
}

extension SQLiteStatement: SQLiteRow {
    @inline(__always)
    func value(_ place: Int32) -> SQLiteValue { SQLiteValue(handle: sqlite3_column_value(handle, place)) }
}

/// A row passed as the arguments of a function.
struct RowArguments: SQLiteRow {
    // Valid until the function returns; one element per column of the statement.
    let values: UnsafeMutablePointer<OpaquePointer?>

    @inline(__always)
    func value(_ place: Int32) -> SQLiteValue { SQLiteValue(handle: values[Int(place)]) }
}
#endif
