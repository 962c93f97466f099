#if Postgres
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The file descriptor of a connection's socket.
struct Socket {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The bytes in the system's send queue; 0 if unknown.
    var queuedBytes: Int {
        #if canImport(Darwin)
        byteCount(SO_NWRITE)
        #else
        byteCount(UInt(TIOCOUTQ))
        #endif
    }

    /// The bytes in the system's receive queue; 0 if unknown.
    var receivedBytes: Int {
        #if canImport(Darwin)
        byteCount(SO_NREAD)
        #else
        byteCount(UInt(FIONREAD))
        #endif
    }

    #if canImport(Darwin)
    // Darwin has no TIOCOUTQ for sockets; these options are its equivalent.
    private func byteCount(_ option: Int32) -> Int {
        var count: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, option, &count, &size) == 0 ? Int(count) : 0
    }
    #else
    private func byteCount(_ request: UInt) -> Int {
        var count: Int32 = 0
        return ioctl(descriptor, request, &count) == 0 ? Int(count) : 0
    }
    #endif

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
