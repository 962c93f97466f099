#if SQLite
import CSQLite
import ContextCore
import Foundation

extension SQLiteInspector: StoreMonitor {
    /// Returns the activity in the file; the statements of other processes can't be seen.
    func activity(_ statements: StatementDetail) throws -> StoreActivity {
        // The query opens the log and its index, too.
        let pageSize = try number(of: "page_size")
        let usesLog = try connection.text("PRAGMA journal_mode") == "wal"
        let state = usesLog ? LogState(connection) : nil
        let logBytes = FileSize.bytes(of: file.log)
        var activity = StoreActivity(time: Date())
        activity.bytes = FileSize.bytes(of: file.path) + logBytes
        activity.pages = StoreActivity.PageUse(
            size: pageSize, count: try number(of: "page_count"), free: try number(of: "freelist_count"))
        activity.isWriting = isWriting(usesLog: usesLog)
        if usesLog {
            activity.log = StoreActivity.WriteAheadLog(
                bytes: logBytes, pages: state?.pages, uncopiedPages: state.map { $0.pages - $0.copiedPages })
        }
        let processes = FileProcesses(file)
        activity.sessions = processes.sessions
        if let state, let reader = processes.oldestReader(of: state) { activity.obstacles = [reader] }
        activity.limits = processes.limits
        if statements != .none {
            activity.limits.append("The statements of other processes can't be seen in a file.")
        }
        return activity
    }

    private func number(of pragma: String) throws(StoreError) -> Int64 {
        try connection.integer("PRAGMA \(pragma)") ?? 0
    }

    /// Whether a process holds the write lock; nil if unknown.
    private func isWriting(usesLog: Bool) -> Bool? {
        // Without write access SQLite can't try the lock, and reports the failure as a lock of another process.
        if usesLog, access(file.index, W_OK) != 0 { return nil }
        let result = csqlite_is_written(connection.handle, usesLog ? 1 : 0)
        return result < 0 ? nil : result != 0
    }
}

/// The state of the write-ahead log that all processes with the open database share.
struct LogState: Equatable {
    /// The number of pages in the log.
    let pages: Int64
    /// The number of these pages that have been copied to the file.
    let copiedPages: Int64
    /// The number of pages that the readers of each mark read; the lock of a mark shows whether there are any.
    let marks: [Int64]
}

extension LogState {
    /// Reads the state from the log's index; nil if there is none.
    init?(_ connection: SQLiteConnection) {
        var log = csqlite_log()
        guard csqlite_look_at_log(connection.handle, &log) == 0 else { return nil }
        let marks = log.marks
        self.init(
            pages: Int64(log.pages), copiedPages: Int64(log.copied),
            marks: [marks.0, marks.1, marks.2, marks.3, marks.4].map(Int64.init))
    }
}
#endif
