#if SQLite
import CSQLite

/// Tells about the SQLite that the running program is linked with.
public enum SQLiteLibrary {
    /// Returns SQLite's version as SQLite writes it, for example `3.40.1`.
    public static var version: String { String(cString: sqlite3_libversion()) }
}
#endif
