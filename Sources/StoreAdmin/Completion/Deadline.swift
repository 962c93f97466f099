import Foundation

/// Runs work that may block, and doesn't wait for it longer than a limit.
enum Deadline {
    /// Returns the result of work on another thread; nil if it has none within the limit.
    ///
    /// Work that takes longer continues until it ends, or until the process exits.
    static func value<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () -> Value?
    ) -> Value? {
        let result = ThreadResult<Value?>()
        Thread.detachNewThread { result.set(work()) }
        // The upper bound, of about thirty years, is what fits into an Int.
        let milliseconds = min(max(limit / .milliseconds(1), 0), 1e12)
        return result.wait(.milliseconds(Int(milliseconds))) ?? nil
    }
}
