#if SQLite
import CSQLite
import ContextCore

extension SQLiteConnection {
    /// Whether the file was moved or deleted since it was opened.
    var hasMoved: Bool {
        var answer: Int32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
        return result == SQLITE_OK && answer != 0
    }

    /// Throws if the file was moved or deleted since it was opened.
    ///
    /// In WAL mode SQLite would write to a file that was deleted, moved or replaced, and report success. A connection checks only once,
    /// because it keeps its file open; ``StoreFiles`` checks that the path still refers to the same file.
    func checkFileInPlace() throws(StoreError) {
        if hasCheckedFile { return }
        if hasMoved { throw StoreError.sqlite(SQLITE_READONLY | (4 << 8), detail: "the file has moved") }
        hasCheckedFile = true
    }

    /// Whether a commit writes the transaction's last page only once into the log.
    ///
    /// On other file systems SQLite pads the commit with copies of it, so that the next transaction shares no sector with it.
    var writesLastPageOnce: Bool { csqlite_writes_are_apart(handle) != 0 }

    /// Whether a connection of any process reads from the write-ahead log.
    var isLogRead: Bool { csqlite_log_is_read(handle) != 0 }

    /// The number of dangling references in the open transaction.
    var brokenReferences: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return Int(current)
    }
}
#endif
