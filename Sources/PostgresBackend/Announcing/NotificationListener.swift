#if Postgres
import ContextCore
import Dispatch
import Foundation

/// Listens for notifications that others have committed to a store, by one connection and one thread for all stores that share it.
///
/// While the connection is lost nothing is heard, and it connects again after pauses that become longer. Each time it begins to listen for
/// a store it tells the store that something may have been committed, as nobody has heard what was committed before. Where the server
/// doesn't let it listen at all, as a standby doesn't, it tries again only now and then.
///
/// State: the subscriptions and whether it is closed, guarded by a lock; an alarm wakes the thread when they change.
final class NotificationListener: Sendable {
    /// A store that wants to know what others commit.
    struct Subscription: Sendable {
        let channel: NotificationChannel
        let handler: @Sendable () -> Void
    }

    private struct State {
        var subscriptions: [Int: Subscription] = [:]
        var nextID = 0
        var isClosed = false
    }

    /// A connection that lasted this long resets the backoff.
    private static let goodTime = Duration.seconds(10)
    /// The pause after a refusal that doesn't pass by itself.
    private static let refusalPause = Duration.seconds(600)

    private let configuration: PostgresConfiguration
    private let state = Guarded(State())
    private let alarm = Alarm()
    private let end = DispatchSemaphore(value: 0)

    /// Connects, on a thread of its own.
    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
        let thread = Thread { [self] in run() }
        thread.name = "notifications"
        thread.start()
    }

    /// Calls a function soon after each commit of others to a store, until ``unsubscribe(_:)``.
    func subscribe(_ subscription: Subscription) -> Int {
        let id = state.withLock { state in
            state.nextID += 1
            state.subscriptions[state.nextID] = subscription
            return state.nextID
        }
        alarm.sound()
        return id
    }

    /// Subscribes the one store that uses the listener; answers what ends both.
    func subscribeAlone(_ subscription: Subscription) -> @Sendable () -> Void {
        _ = subscribe(subscription)
        return { [self] in close() }
    }

    /// Ends a subscription; answers whether none is left.
    func unsubscribe(_ id: Int) -> Bool {
        let isLast = state.withLock { state in
            state.subscriptions[id] = nil
            return state.subscriptions.isEmpty
        }
        alarm.sound()
        return isLast
    }

    /// Closes the connection.
    ///
    /// One that is just being made is not waited for.
    func close() {
        state.withLock { $0.isClosed = true }
        alarm.sound()
        _ = end.wait(timeout: .now() + 1)
    }

    private var isOpen: Bool { !state.withLock { $0.isClosed } }
    private var subscriptions: [Int: Subscription] { state.withLock { $0.subscriptions } }

    // MARK: Connecting

    private func run() {
        var backoff = Backoff(longest: .seconds(30))
        while isOpen { pause(listen(&backoff)) }
        end.signal()
    }

    /// Listens by a connection until that is lost; answers how long to pause then.
    private func listen(_ backoff: inout Backoff) -> Duration {
        let start = ContinuousClock.now
        var refusal: StoreError?
        do throws(StoreError) {
            try listen(by: try connect())
        } catch {
            refusal = error
        }
        if start.duration(to: .now) >= Self.goodTime { backoff = Backoff(longest: .seconds(30)) }
        let passes = refusal.map { $0.code == .connectionLost || $0.code == .busy } ?? true
        // What was refused later than at the start may have been refused for the moment alone.
        return passes || start.duration(to: .now) >= Self.goodTime ? backoff.next() : Self.refusalPause
    }

    /// Waits until it is closed, or the time is over.
    private func pause(_ time: Duration) {
        let end = ContinuousClock.now + time
        while isOpen, ContinuousClock.now < end { alarm.wait(for: nil, end - .now) }
    }

    private func connect() throws(StoreError) -> PostgresConnection {
        let connection = try PostgresConnection(configuration)
        // It waits for as long as nobody saves.
        if connection.serverVersion >= 140_000 { try connection.execute("SET idle_session_timeout = 0") }
        return connection
    }

    // MARK: Listening

    /// Calls handlers until the connection is lost or the listener closed.
    private func listen(by connection: PostgresConnection) throws(StoreError) {
        var known: [Int: Subscription] = [:]
        while isOpen, !connection.notesItsEnd() {
            let wanted = subscriptions
            let added = wanted.filter { known[$0.key] == nil }
            try change(from: known, to: wanted, connection)
            known = wanted
            var called = Set(added.keys)
            while let notification = connection.nextNotification() {
                called.formUnion(
                    known.filter { $0.value.channel.isOfOthers(notification) }.keys)
            }
            // Many notifications of one store are one call.
            for id in called { known[id]?.handler() }
            alarm.wait(for: connection.socket, .seconds(60))
        }
    }

    /// Begins and ceases to listen to channels.
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
