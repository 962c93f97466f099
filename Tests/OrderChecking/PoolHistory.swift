import ContextCore
import SQLStore

/// A request to a pool of connections with its result, in the order of the pool's lock.
enum PoolEvent: Sendable {
    case request(String, PoolState.RequestResult)
    /// A dead connection was replaced by another one.
    case replacement(PoolState.Lease, PoolState.Lease)
    case returnConnection(PoolState.Lease, isReusable: Bool, PoolState.Return)
    /// A request left the queue, because it stopped waiting or got its connection.
    case withdrawal(Int)
    /// Idle connections were closed because of their age.
    case expired([Int])
    case close(connections: [Int], tickets: [Int])
    /// A request has returned with a connection.
    case success(String)
    /// A request has returned with an error.
    case failure(String)
}

/// The recorded history of a pool of connections.
///
/// A mutex guards `state`.
final class PoolHistory: Sendable {
    private struct State {
        var events: [PoolEvent] = []
        var complaints: [String] = []
    }

    private let state = Guarded(State())

    var events: [PoolEvent] { state.withLock { $0.events } }
    /// The violations that holders of connections have found.
    var complaints: [String] { state.withLock { $0.complaints } }

    func record(_ event: PoolEvent) { state.withLock { $0.events.append(event) } }
    func complain(_ complaint: String) { state.withLock { $0.complaints.append(complaint) } }
}
