#if Postgres
import Foundation

/// A connection's socket, to wait for.
struct Socket {
    private let number: Int32

    init(_ number: Int32) { self.number = number }

    /// How many bytes were written that have not arrived yet at the other side, as far as the system knows.
    var queuedBytes: Int { bytes(UInt(TIOCOUTQ)) }

    /// How many bytes have arrived and were not read yet, as far as the system knows.
    var receivedBytes: Int { bytes(UInt(FIONREAD)) }

    private func bytes(_ request: UInt) -> Int {
        var count: Int32 = 0
        return ioctl(number, request, &count) == 0 ? Int(count) : 0
    }

    /// Waits until something can be read or written, as the events say; false where that takes too long.
    ///
    /// What is broken counts as ready: whoever reads or writes then hears of it.
    func wait(for events: Int16, _ limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        var left = limit
        while true {
            var entry = pollfd(fd: number, events: events, revents: 0)
            // Rounded up: a wait of no time at all would be none.
            let milliseconds = left == .zero ? 0 : min(left.wholeMilliseconds, 60_000)
            let count = poll(&entry, 1, Int32(milliseconds))
            if count > 0 || count < 0 && errno != EINTR { return true }
            left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return false }
        }
    }
}
#endif
