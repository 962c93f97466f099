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
    /// How many instructions of SQLite's machine pass between two looks: a fraction of a millisecond.
    private static let usualPace: Int32 = 20_000

    /// How long a statement may take; nil for as long as it likes.
    let timeout: Duration?
    private var heedsCancellation = false
    private var deadline: ContinuousClock.Instant?
    private var isLate = false

    init(timeout: Duration?) { self.timeout = timeout }

    /// Lets a connection ask; the watch must live as long as the connection.
    func attach(to database: OpaquePointer, pace: Int32?) {
        sqlite3_progress_handler(
            database, pace ?? Self.usualPace,
            { context in
                guard let context else { return 0 }
                // takeUnretainedValue: the connection owns the watch for as long as SQLite may call this.
                return Unmanaged<StatementWatch>.fromOpaque(context).takeUnretainedValue().wantsEnd ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// From here on statements may be ended.
    func begin(heedsCancellation: Bool) { self.heedsCancellation = heedsCancellation }

    /// From here on they may not: what ends or undoes a transaction must come to its own end.
    func end() {
        heedsCancellation = false
        deadline = nil
    }

    /// A statement begins.
    @inline(__always)
    func start() {
        if let timeout, heedsCancellation { deadline = .now + timeout }
    }

    /// Whether the task that the connection works for was cancelled.
    var isCancelled: Bool { heedsCancellation && Task.isCancelled }

    private var wantsEnd: Bool {
        if isCancelled { return true }
        guard let deadline, ContinuousClock.now >= deadline else { return false }
        isLate = true
        return true
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
