#if Postgres
import ContextCore
import Dispatch
import Foundation

/// Hears, by a connection of its own, that somebody has committed something to a store, and tells it on.
///
/// While the connection is lost it is silent, and tries to hear again, less and less often. Each time it begins to hear, it rings:
/// something may have been committed that nobody has told it of. Where the server doesn't let it hear at all, as a standby doesn't, it
/// asks again only now and then.
///
/// State: whether it is closed, guarded by a lock; an alarm wakes the thread that hears.
final class Doorbell: Sendable {
    /// How long a connection has to be heard on until its loss is nothing but bad luck.
    private static let goodTime = Duration.seconds(10)
    /// How long it is silent after it was refused for a reason that doesn't go away by itself.
    private static let refusalPause = Duration.seconds(600)

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
        while isOpen { rest(hear(&backoff)) }
        end.signal()
    }

    /// Hears by a connection until that is lost; answers how long to be silent then.
    private func hear(_ backoff: inout Backoff) -> Duration {
        do throws(StoreError) {
            let connection = try connect()
            let start = ContinuousClock.now
            ring()
            hear(by: connection)
            if start.duration(to: .now) >= Self.goodTime { backoff = Backoff(longest: .seconds(30)) }
            return backoff.next()
        } catch {
            let isPassing = error.code == .connectionLost || error.code == .busy
            return isPassing ? backoff.next() : Self.refusalPause
        }
    }

    /// Waits until it is closed, or the time is over.
    private func rest(_ time: Duration) {
        let end = ContinuousClock.now + time
        while isOpen, ContinuousClock.now < end { alarm.wait(for: nil, end - .now) }
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
