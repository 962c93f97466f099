import ContextCore
import SQLStore

/// The state machine of a pool, with a record of its events and possibly a bug.
struct StagedLending: PoolPolicy {
    private var state: PoolState
    private let history: PoolHistory
    private let bug: PlantedBug?
    /// The place in the queue that is woken instead of each place; another one only for the bug of serving the last request first.
    private var wokenPlaces: [Int: Int] = [:]

    init(_ state: PoolState, _ history: PoolHistory, _ bug: PlantedBug?) {
        self.state = state
        self.history = history
        self.bug = bug
    }

    mutating func request(by holder: String, at now: Instant) -> PoolState.RequestResult {
        let answer = state.request(by: holder, at: now)
        if case .waits(let ticket) = answer { wokenPlaces[ticket] = ticket }
        history.record(.request(holder, answer))
        return answer
    }

    mutating func replace(_ lease: PoolState.Lease, at now: Instant) -> PoolState.Lease {
        let other = state.replace(lease, at: now)
        history.record(.replacement(lease, other))
        return other
    }

    mutating func returnConnection(_ lease: PoolState.Lease, isReusable: Bool, at now: Instant)
        -> PoolState.Return
    {
        var answer = state.returnConnection(lease, isReusable: isReusable || bug == .lendsUnfit, at: now)
        if let next = answer.next {
            if bug == .servesLastFirst, let last = wokenPlaces.keys.max() {
                (wokenPlaces[last], wokenPlaces[next.ticket]) = (wokenPlaces[next.ticket], wokenPlaces[last])
            }
            answer.next?.ticket = wokenPlaces.removeValue(forKey: next.ticket) ?? next.ticket
        }
        if bug == .missesWakeup { answer.next = nil }
        history.record(.returnConnection(lease, isReusable: isReusable, answer))
        return answer
    }

    mutating func withdraw(_ ticket: Int) {
        if bug != .keepsPlace, let own = wokenPlaces.first(where: { $0.value == ticket })?.key {
            wokenPlaces[own] = nil
            state.withdraw(own)
        }
        history.record(.withdrawal(ticket))
    }

    mutating func removeExpired(at now: Instant) -> [Int] {
        let expired = state.removeExpired(at: now)
        if !expired.isEmpty { history.record(.expired(expired)) }
        return expired
    }

    mutating func close() -> (connections: [Int], tickets: [Int]) {
        var closed = state.close()
        if bug == .leavesWaiting { closed.tickets = [] }
        history.record(.close(connections: closed.connections, tickets: closed.tickets))
        return closed
    }

    func report(at now: Instant) -> ConnectionReport { state.report(at: now) }
}
