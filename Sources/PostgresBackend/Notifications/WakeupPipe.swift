#if Postgres
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// A pipe that wakes a thread while it waits for a socket.
struct WakeupPipe: ~Copyable, Sendable {
    /// The two ends of a pipe.
    private let (reader, writer): (Int32, Int32)

    init() {
        var ends: [Int32] = [-1, -1]
        // If the process has no descriptors left, the thread wakes only after its time limit; `poll` ignores -1.
        if pipe(&ends) == 0 {
            for end in ends {
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
            }
        }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit {
        if reader >= 0 { close(reader) }
        if writer >= 0 { close(writer) }
    }

    /// Wakes the thread, or makes its next wait return at once.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writer, &byte, 1)
    }

    /// Waits until a socket is readable, ``sound()`` is called, or the time limit has passed.
    func wait(for socket: Int32?, _ limit: Duration) {
        var entries = [reader, socket ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&entries, nfds_t(entries.count), Int32(min(limit.wholeMilliseconds, 60_000)))
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) == bytes.count {}
    }
}
#endif
