#if Postgres
import Foundation

/// The file descriptor of a connection's socket.
struct Socket {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The bytes in the system's send queue; 0 if unknown.
    var queuedBytes: Int { bytes(UInt(TIOCOUTQ)) }

    /// The bytes in the system's receive queue; 0 if unknown.
    var receivedBytes: Int { bytes(UInt(FIONREAD)) }

    private func bytes(_ request: UInt) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, request, &count) == 0 ? Int(count) : 0
    }

    /// Waits for events of `poll`, and returns false if the time limit passes.
    ///
    /// It returns true for a broken socket too: reading or writing reports the error then.
    func wait(for events: Int16, _ limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        var left = limit
        while true {
            var entry = pollfd(fd: descriptor, events: events, revents: 0)
            // At least a millisecond, since 0 doesn't wait.
            let milliseconds = left == .zero ? 0 : min(left.wholeMilliseconds, 60_000)
            let count = poll(&entry, 1, Int32(milliseconds))
            if count > 0 || count < 0 && errno != EINTR { return true }
            left = ContinuousClock.now.duration(to: deadline)
            if left <= .zero { return false }
        }
    }
}
#endif
