#if Postgres
import ContextCore
import Dispatch
import Foundation

/// Hears, by a connection of its own, that somebody has committed something to a store, and tells it on.
///
/// While the connection is lost it is silent, and tries to hear again, less and less often. Each time it begins to hear, it rings:
/// something may have been committed that nobody has told it of.
///
/// State: whether it is closed, guarded by a lock; an alarm wakes the thread that hears.
final class Doorbell: Sendable {
    private let configuration: PostgresConfiguration
    private let channel: DoorbellChannel
    private let ring: @Sendable () -> Void
    private let isClosed = Guarded(false)
    private let alarm = Alarm()
    private let end = DispatchSemaphore(value: 0)

    /// Begins to hear, on a thread of its own.
    init(
        _ configuration: PostgresConfiguration, _ channel: DoorbellChannel,
        ring: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.channel = channel
        self.ring = ring
        let thread = Thread { [self] in hear() }
        thread.name = "doorbell"
        thread.start()
    }

    /// Lets go of the connection.
    ///
    /// One that is just being made is not waited for.
    func close() {
        isClosed.withLock { $0 = true }
        alarm.sound()
        _ = end.wait(timeout: .now() + 1)
    }

    private var isOpen: Bool { !isClosed.withLock { $0 } }

    private func hear() {
        var backoff = Backoff(longest: .seconds(30))
        while isOpen {
            if let connection = try? connect() {
                backoff = Backoff(longest: .seconds(30))
                ring()
                hear(by: connection)
            }
            if isOpen { alarm.wait(for: nil, backoff.next()) }
        }
        end.signal()
    }

    private func connect() throws(StoreError) -> PostgresConnection {
        let connection = try PostgresConnection(configuration)
        // It waits for as long as nobody saves.
        if connection.serverVersion >= 140_000 { try connection.execute("SET idle_session_timeout = 0") }
        try connection.execute(channel.listening)
        return connection
    }

    /// Rings until the connection is lost or the bell closed.
    private func hear(by connection: PostgresConnection) {
        while isOpen, !connection.notesItsEnd() {
            // All of them are one ring.
            var isRung = false
            while let payload = connection.nextNotification() { isRung = isRung || payload != channel.sender }
            if isRung { ring() }
            alarm.wait(for: connection.socket, .seconds(60))
        }
    }
}
#endif
