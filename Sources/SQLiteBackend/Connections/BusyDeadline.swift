#if SQLite
import CSQLite
import Foundation

/// Lets a connection wait for a lock until a deadline, with pauses that grow and that no two connections share.
///
/// It is used by its connection's thread only: SQLite calls back on the thread that waits.
final class BusyDeadline {
    /// How long a lock is waited for.
    var timeout: Duration
    /// Since when a transaction has been waited for, if that was before its connection asked SQLite for it.
    var start: ContinuousClock.Instant?
    private var deadline = ContinuousClock.now
    private let watch: StatementWatch

    private static let longestPause = 20_000.0

    init(timeout: Duration, watch: StatementWatch) {
        self.timeout = timeout
        self.watch = watch
    }

    /// Makes a connection wait by this deadline, which must live as long as the connection.
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

    /// Pauses before an attempt; false when the time is up, or whoever waits was cancelled.
    func pause(_ attempt: Int) -> Bool {
        let now = ContinuousClock.now
        if attempt == 0 { deadline = (start ?? now) + timeout }
        guard now < deadline, !watch.isCancelled else { return false }
        let longest = min(Self.longestPause, 50 * Double(1 << min(attempt, 10)))
        let remaining = (deadline - now) / .microseconds(1)
        usleep(UInt32(max(1, min(Double.random(in: longest / 2...longest), remaining))))
        return true
    }
}
#endif
