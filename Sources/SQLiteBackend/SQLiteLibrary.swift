#if SQLite
import CSQLite

/// The SQLite library that the program is linked with.
public enum SQLiteLibrary {
    /// The version of SQLite, such as `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
#endif
