#if SQLite
import CSQLite
import ContextCore

/// Ends a connection's statement when its task is cancelled, or when it has taken too long.
///
/// SQLite asks again and again while it works, on the thread that works. So nobody has to interrupt a connection from another
/// thread, which might hit the statement after the one that was meant.
///
/// It is used by its connection's thread only.
final class StatementWatch {
    /// Names the statements that may be ended.
    private enum Reach {
        case none
        /// A statement that changes rows takes the whole transaction with it when it is ended
        /// (<https://sqlite.org/c3ref/interrupt.html>), and so the work of others who share it.
        case reading
        case all
    }

    /// How many instructions of SQLite's machine pass between two looks: a fraction of a millisecond.
    private static let usualPace: Int32 = 20_000

    /// How long a statement may take; nil for as long as it likes.
    let timeout: Duration?
    private var reach = Reach.none
    private var heedsCancellation = false
    private var deadline: ContinuousClock.Instant?
    private var isLate = false
    /// Whether a statement that could not be ended has taken too long.
    private var isOverdue = false
    private var database: OpaquePointer?
    private var bell: WatchBell?

    init(timeout: Duration?) { self.timeout = timeout }

    /// Lets a connection ask; the watch must live as long as the connection.
    func attach(to database: OpaquePointer, _ seams: SQLiteSeams) {
        self.database = database
        bell = seams.watchBell
        sqlite3_progress_handler(
            database, seams.watchPace ?? Self.usualPace,
            { context in
                guard let context else { return 0 }
                // takeUnretainedValue: the connection owns the watch for as long as SQLite may call this.
                return Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue().ends() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// From here on statements may be ended.
    ///
    /// - Parameter sharesTransaction: Whether the transaction is others' too. A statement that changes rows then comes to its end,
    ///   however long that takes, and the one after it is refused.
    func begin(heedsCancellation: Bool, sharesTransaction: Bool = false) {
        self.heedsCancellation = heedsCancellation
        reach = sharesTransaction ? .reading : .all
        (deadline, isOverdue) = (nil, false)
    }

    /// Does what others may be concerned with, who are not cancelled with the task that asks.
    func unheeded<Answer>(_ work: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        let heeds = heedsCancellation
        heedsCancellation = false
        defer { heedsCancellation = heeds }
        return try work()
    }

    /// From here on they may not: what ends or undoes a transaction must come to its own end.
    func end() {
        heedsCancellation = false
        reach = .none
        (deadline, isOverdue) = (nil, false)
    }

    /// A statement begins.
    ///
    /// - Throws: ``StoreError/Code/timeout`` if the one before it has taken too long and could not be ended.
    @inline(__always)
    func start() throws(StoreError) {
        guard let timeout, reach != .none else { return }
        if isOverdue { try refuse() }
        deadline = .now + timeout
    }

    private func refuse() throws(StoreError) {
        (isOverdue, isLate) = (false, true)
        throw error(detail: "The statement could not be ended, because its transaction is shared.")
    }

    /// Whether the task that the connection works for was cancelled.
    var isCancelled: Bool { heedsCancellation && Task.isCancelled }

    private func ends() -> Bool {
        bell?.ring()
        guard wantsEnd else { return false }
        guard reach == .reading, isChangingRows else { return true }
        if isLate { (isOverdue, isLate) = (true, false) }
        return false
    }

    private var wantsEnd: Bool {
        if isCancelled { return true }
        guard let deadline, ContinuousClock.now >= deadline else { return false }
        isLate = true
        return true
    }

    /// Whether the connection has a statement under way that changes rows.
    private var isChangingRows: Bool {
        var statement = sqlite3_next_stmt(database, nil)
        while let current = statement {
            if sqlite3_stmt_busy(current) != 0, sqlite3_stmt_readonly(current) == 0 { return true }
            statement = sqlite3_next_stmt(database, current)
        }
        return false
    }

    /// What to say of a statement that was ended.
    func error(detail: String) -> StoreError {
        defer { isLate = false }
        if isLate {
            return StoreError(
                .timeout, "A statement took longer than it may.",
                remedy: "Ask for less, add an index, or give a longer statement_timeout in the store's URL.",
                detail: detail)
        }
        return StoreError(
            .cancelled, "The operation was cancelled.",
            remedy: "Nothing of it was saved; begin it again if it is still wanted.", detail: detail)
    }
}
#endif
