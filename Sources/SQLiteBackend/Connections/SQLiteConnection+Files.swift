#if SQLite
import CSQLite
import ContextCore

extension SQLiteConnection {
    /// Whether the file is no longer where it was opened.
    var hasMoved: Bool {
        var answer: Int32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &answer)
        return result == SQLITE_OK && answer != 0
    }

    /// Checks that the file is where it was opened.
    ///
    /// In WAL mode SQLite would go on writing to a file that was deleted, moved or replaced, and say that all is well. A connection
    /// keeps its file open, so this is asked once; that there is still the same file is for ``StoreFiles`` to say.
    func checkPlace() throws(StoreError) {
        if isPlaced { return }
        if hasMoved { throw StoreError.sqlite(SQLITE_READONLY | (4 << 8), detail: "the file has moved") }
        isPlaced = true
    }

    /// Whether a transaction's last page is the last thing that its commit writes into the log.
    ///
    /// Elsewhere SQLite writes it several times over, so that the next transaction shares no sector with it.
    var writesLastPageOnce: Bool { csqlite_writes_are_apart(handle) != 0 }

    /// Whether anybody reads from the write-ahead log, in whatever process.
    var isLogRead: Bool { csqlite_log_is_read(handle) != 0 }

    /// How many references lead nowhere at this moment of the transaction.
    var brokenReferences: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return Int(current)
    }
}
#endif
