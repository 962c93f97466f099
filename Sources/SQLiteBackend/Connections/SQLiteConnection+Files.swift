#if SQLite
import CSQLite
import ContextCore

extension SQLiteConnection {
    /// Checks that the file is still where it was opened.
    ///
    /// In WAL mode SQLite would go on writing to a file that was deleted, moved or replaced, and say that all is well.
    func checkPlace() throws(StoreError) {
        var hasMoved: Int32 = 0
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if result == SQLITE_OK, hasMoved != 0 {
            throw StoreError.sqlite(SQLITE_READONLY | (4 << 8), detail: "the file has moved")
        }
    }

    /// How many references lead nowhere at this moment of the transaction.
    var brokenReferences: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return Int(current)
    }
}
#endif
