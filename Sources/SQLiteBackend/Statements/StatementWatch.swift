#if SQLite
import CSQLite
import ContextCore

/// Interrupts a connection's statement when its task is cancelled or it exceeds the time limit.
///
/// SQLite calls the progress handler on the thread that runs the statement. Interrupting from another thread could hit the next
/// statement instead.
///
/// Only its connection's thread uses it.
final class StatementWatch {
    /// The statements that may be interrupted.
    private enum Reach {
        case none
        /// Statements that only read.
        ///
        /// Interrupting a statement that changes rows rolls back the whole transaction (<https://sqlite.org/c3ref/interrupt.html>), and
        /// with it other work in a shared transaction.
        case reading
        case all
    }

    /// The number of virtual machine instructions between two checks, which take a fraction of a millisecond.
    private static let defaultInterval: Int32 = 20_000

    /// The time limit of a statement, or nil for no limit.
    let timeout: Duration?
    private var reach = Reach.none
    private var isCancellable = false
    private var deadline: ContinuousClock.Instant?
    private var hasTimedOut = false
    /// Whether a statement that must not be interrupted has exceeded the limit.
    private var isOverdue = false
    private var database: OpaquePointer?
    private var progressHook: ProgressHook?

    init(timeout: Duration?) { self.timeout = timeout }

    /// Installs the progress handler on a connection; the watch must live as long as the connection.
    func attach(to database: OpaquePointer, _ testHooks: SQLiteTestHooks) {
        self.database = database
        progressHook = testHooks.progressHook
        sqlite3_progress_handler(
            database, testHooks.progressInterval ?? Self.defaultInterval,
            { context in
                guard let context else { return 0 }
                // takeUnretainedValue: the connection owns the watch for as long as SQLite may call this.
                return Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue().shouldInterrupt()
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Allows interrupting the following statements.
    ///
    /// - Parameter sharesTransaction: Whether other work shares the transaction. A statement that changes rows is not interrupted then,
    ///   however long it takes; instead the next statement throws.
    func begin(isCancellable: Bool, sharesTransaction: Bool = false) {
        self.isCancellable = isCancellable
        reach = sharesTransaction ? .reading : .all
        (deadline, isOverdue) = (nil, false)
    }

    /// Runs work that the cancellation of the current task must not interrupt.
    func withoutCancellation<Answer>(_ work: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        let wasCancellable = isCancellable
        isCancellable = false
        defer { isCancellable = wasCancellable }
        return try work()
    }

    /// Disallows interrupting the following statements, which commit or roll back.
    func end() {
        isCancellable = false
        reach = .none
        (deadline, isOverdue) = (nil, false)
    }

    /// Starts the time limit of a statement.
    ///
    /// - Throws: ``StoreError/Code/timeout`` if the previous statement has exceeded the limit and could not be interrupted.
    @inline(__always)
    func start() throws(StoreError) {
        guard let timeout, reach != .none else { return }
        if isOverdue { try throwTimeout() }
        deadline = .now + timeout
    }

    private func throwTimeout() throws(StoreError) {
        (isOverdue, hasTimedOut) = (false, true)
        throw error(detail: "The statement could not be interrupted, because its transaction is shared.")
    }

    /// Whether the task that uses the connection was cancelled.
    var isCancelled: Bool { isCancellable && Task.isCancelled }

    private func shouldInterrupt() -> Bool {
        progressHook?.handler()
        guard isInterruptRequested else { return false }
        guard reach == .reading, isChangingRows else { return true }
        if hasTimedOut { (isOverdue, hasTimedOut) = (true, false) }
        return false
    }

    private var isInterruptRequested: Bool {
        if isCancelled { return true }
        guard let deadline, ContinuousClock.now >= deadline else { return false }
        hasTimedOut = true
        return true
    }

    /// Whether a statement that changes rows is running.
    private var isChangingRows: Bool {
        var statement = sqlite3_next_stmt(database, nil)
        while let current = statement {
            if sqlite3_stmt_busy(current) != 0, sqlite3_stmt_readonly(current) == 0 { return true }
            statement = sqlite3_next_stmt(database, current)
        }
        return false
    }

    /// Returns the error for an interrupted statement.
    func error(detail: String) -> StoreError {
        defer { hasTimedOut = false }
        if hasTimedOut {
            return StoreError(
                .timeout, "A statement exceeded the statement timeout.",
                remedy: "Fetch less, add an index, or set a longer statement_timeout in the store's URL.",
                detail: detail)
        }
        return StoreError(
            .cancelled, "The operation was cancelled.",
            remedy: "Nothing of it was saved. Run it again if it is still needed.", detail: detail)
    }
}
#endif
