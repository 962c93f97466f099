#if Postgres
import ContextCore
import Dispatch
import Foundation

/// A thread with one connection that listens for commits of other processes, for all stores that share it.
///
/// When the connection is lost, it reconnects after increasing pauses. Each time it begins to listen for a store, it calls the store's
/// handler, since it was not notified of earlier commits. If the server rejects `LISTEN`, as a standby does, it retries every ten
/// minutes.
///
/// A lock guards the subscriptions and the flag that the listener is closed. A pipe wakes the thread when they change.
final class NotificationListener: Sendable {
    /// A store's channel, and the function to call after commits of other processes.
    struct Subscription: Sendable {
        let channel: NotificationChannel
        let handler: @Sendable () -> Void
    }

    private struct State {
        var subscriptions: [Int: Subscription] = [:]
        var nextID = 0
        var isClosed = false
    }

    /// The lifetime of a connection that resets the backoff.
    private static let stableLifetime = Duration.seconds(10)
    /// The pause after a permanent error.
    private static let permanentErrorPause = Duration.seconds(600)

    private let configuration: PostgresConfiguration
    private let state = Guarded(State())
    private let wakeupPipe = WakeupPipe()
    private let end = DispatchSemaphore(value: 0)

    /// Creates a listener, and starts its thread, which connects to the server.
    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        let thread = Thread { [self] in run() }
        thread.name = "notifications"
        thread.start()
    }

    /// Adds a subscription, whose handler is called after commits of other processes, and returns its number for ``unsubscribe(_:)``.
    func subscribe(_ subscription: Subscription) -> Int {
        let id = state.withLock { state in
            state.nextID += 1
            state.subscriptions[state.nextID] = subscription
            return state.nextID
        }
        wakeupPipe.wake()
        return id
    }

    /// Subscribes the only store of the listener, and returns the function that closes the listener.
    func subscribeExclusively(_ subscription: Subscription) -> @Sendable () -> Void {
        _ = subscribe(subscription)
        return { [self] in close() }
    }

    /// Ends a subscription, and returns whether it was the last one.
    func unsubscribe(_ id: Int) -> Bool {
        let isLast = state.withLock { state in
            state.subscriptions[id] = nil
            return state.subscriptions.isEmpty
        }
        wakeupPipe.wake()
        return isLast
    }

    /// Ends the thread and closes the connection.
    ///
    /// It waits for the thread for at most one second, since an attempt to connect can take longer.
    func close() {
        state.withLock { $0.isClosed = true }
        wakeupPipe.wake()
        _ = end.wait(timeout: .now() + 1)
    }

    private var isOpen: Bool { !state.withLock { $0.isClosed } }
    private var subscriptions: [Int: Subscription] { state.withLock { $0.subscriptions } }

    // MARK: Connecting

    private func run() {
        var backoff = Backoff(maximumPause: .seconds(30))
        while isOpen { pause(listen(&backoff)) }
        end.signal()
    }

    /// Connects and listens until the connection is lost, and returns the pause before the next attempt.
    private func listen(_ backoff: inout Backoff) -> Duration {
        let start = ContinuousClock.now
        var refusal: StoreError?
        do throws(StoreError) {
            try listen(by: try connect())
        } catch {
            refusal = error
        }
        if start.duration(to: .now) >= Self.stableLifetime { backoff = Backoff(maximumPause: .seconds(30)) }
        let isTemporary = refusal.map { $0.code == .connectionLost || $0.code == .busy } ?? true
        // An error after a while is probably temporary.
        return isTemporary || start.duration(to: .now) >= Self.stableLifetime
            ? backoff.nextPause() : Self.permanentErrorPause
    }

    /// Waits until the listener is closed or the time has passed.
    private func pause(_ time: Duration) {
        let end = ContinuousClock.now + time
        while isOpen, ContinuousClock.now < end { wakeupPipe.wait(for: nil, end - .now) }
    }

    private func connect() throws(StoreError) -> PostgresConnection {
        let connection = try PostgresConnection(configuration)
        // The connection is idle until another process saves.
        if connection.serverVersion >= 140_000 { try connection.execute("SET idle_session_timeout = 0") }
        return connection
    }

    // MARK: Listening

    /// Calls handlers until the connection is lost or the listener is closed.
    private func listen(by connection: PostgresConnection) throws(StoreError) {
        var known: [Int: Subscription] = [:]
        while isOpen, !connection.detectsServerClose() {
            let wanted = subscriptions
            let added = wanted.filter { known[$0.key] == nil }
            try change(from: known, to: wanted, connection)
            known = wanted
            var called = Set(added.keys)
            while let notification = connection.nextNotification() {
                called.formUnion(
                    known.filter { $0.value.channel.isFromOtherStore(notification) }.keys)
            }
            // Call each store's handler once for all of its notifications.
            for id in called { known[id]?.handler() }
            wakeupPipe.wait(for: connection.socket, .seconds(60))
        }
    }

    /// Sends the `LISTEN` and `UNLISTEN` statements for changed subscriptions.
    private func change(
        from known: [Int: Subscription], to wanted: [Int: Subscription], _ connection: PostgresConnection
    ) throws(StoreError) {
        let (before, after) = (
            Set(known.values.map(\.channel.name)), Set(wanted.values.map(\.channel.name))
        )
        if before == after { return }
        let statements =
            before.subtracting(after).map { "UNLISTEN \"\($0)\"" }
            + after.subtracting(before).map { "LISTEN \"\($0)\"" }
        try connection.execute(statements.joined(separator: "; "))
    }
}
#endif
