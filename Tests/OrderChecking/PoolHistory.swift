import ContextCore
import SQLStore

/// What a pool of connections was asked and answered, in the order of its lock, and what came of that.
enum PoolEvent: Sendable {
    case request(String, PoolState.Answer)
    /// A connection was dead, and there is another in its place.
    case replacement(PoolState.Lease, PoolState.Lease)
    case giveBack(PoolState.Lease, isFit: Bool, PoolState.Return)
    /// Somebody waits no more, or has got what he waited for.
    case withdrawal(Int)
    /// Idle connections were closed for their age.
    case outworn([Int])
    case close(connections: [Int], places: [Int])
    /// Somebody who asked has a connection.
    case success(String)
    /// Somebody who asked was told that there is none.
    case failure(String)
}

/// The recorded history of a pool of connections.
///
/// `state` is guarded by its mutex.
final class PoolHistory: Sendable {
    private struct State {
        var events: [PoolEvent] = []
        var complaints: [String] = []
    }

    private let state = Guarded(State())

    var events: [PoolEvent] { state.withLock { $0.events } }
    /// What those who use the connections had to say.
    var complaints: [String] { state.withLock { $0.complaints } }

    func note(_ event: PoolEvent) { state.withLock { $0.events.append(event) } }
    func complain(_ complaint: String) { state.withLock { $0.complaints.append(complaint) } }
}
