#if SQLite
import CSQLite

/// A value of SQLite's, good as long as the statement stands at its row, or the function runs that was called with it.
///
/// It may be read by the thread alone that uses its connection, as everything else here.
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

/// The values of one row: of a statement that stands at it, or of a function that is called with it.
protocol SQLiteRow {
    func value(_ place: Int32) -> SQLiteValue
}

extension SQLiteStatement: SQLiteRow {
    @inline(__always)
    func value(_ place: Int32) -> SQLiteValue { SQLiteValue(handle: sqlite3_column_value(handle, place)) }
}

/// The arguments of a function that is called with a row.
struct RowArguments: SQLiteRow {
    // SQLite's, until the function returns; as many as the statement has columns.
    let values: UnsafeMutablePointer<OpaquePointer?>

    @inline(__always)
    func value(_ place: Int32) -> SQLiteValue { SQLiteValue(handle: values[Int(place)]) }
}
#endif
