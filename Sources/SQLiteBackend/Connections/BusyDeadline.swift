#if SQLite
import CSQLite
import Foundation

/// A busy handler that waits for a lock until a deadline, with growing random pauses.
///
/// Only its connection's thread uses it: SQLite calls the handler on the thread that waits.
final class BusyDeadline {
    /// The maximum time to wait for a lock.
    var timeout: Duration
    /// The start of a wait that began before the connection asked SQLite for the lock.
    var start: ContinuousClock.Instant?
    private var deadline = ContinuousClock.now
    private let watch: StatementWatch

    private static let maximumPause = 20_000.0

    init(timeout: Duration, watch: StatementWatch) {
        self.timeout = timeout
        self.watch = watch
    }

    /// Installs the handler on a connection; the deadline must live as long as the connection.
    func attach(to database: OpaquePointer) {
        sqlite3_busy_handler(
            database,
            { context, attempt in
                guard let context else { return 0 }
                // takeUnretainedValue: the connection owns the deadline for as long as SQLite may call this.
                return Unmanaged<BusyDeadline>.fromOpaque(context).takeUnretainedValue().pause(Int(attempt))
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Pauses before another attempt; returns false after the deadline or if the task was cancelled.
    func pause(_ attempt: Int) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 { deadline = (start ?? now) + timeout }
        guard now < deadline, !watch.isCancelled else { return false }
        let longest = min(Self.maximumPause, 50 * Double(1 << min(attempt, 10)))
        let remaining = (deadline - now) / .microseconds(1)
        usleep(UInt32(max(1, min(Double.random(in: longest / 2...longest), remaining))))
        return true
    }
}
#endif
