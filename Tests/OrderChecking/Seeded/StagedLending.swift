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

    mutating func request(by holder: String, at now: Instant) -> PoolState.Answer {
        let answer = state.request(by: holder, at: now)
        if case .waits(let place) = answer { wokenPlaces[place] = place }
        history.record(.request(holder, answer))
        return answer
    }

    mutating func replace(_ lease: PoolState.Lease, at now: Instant) -> PoolState.Lease {
        let other = state.replace(lease, at: now)
        history.record(.replacement(lease, other))
        return other
    }

    mutating func giveBack(_ lease: PoolState.Lease, isFit: Bool, at now: Instant) -> PoolState.Return {
        var answer = state.giveBack(lease, isFit: isFit || bug == .lendsUnfit, at: now)
        if let next = answer.next {
            if bug == .servesLastFirst, let last = wokenPlaces.keys.max() {
                (wokenPlaces[last], wokenPlaces[next.place]) = (wokenPlaces[next.place], wokenPlaces[last])
            }
            answer.next?.place = wokenPlaces.removeValue(forKey: next.place) ?? next.place
        }
        if bug == .missesWakeup { answer.next = nil }
        history.record(.giveBack(lease, isFit: isFit, answer))
        return answer
    }

    mutating func withdraw(_ place: Int) {
        if bug != .keepsPlace, let own = wokenPlaces.first(where: { $0.value == place })?.key {
            wokenPlaces[own] = nil
            state.withdraw(own)
        }
        history.record(.withdrawal(place))
    }

    mutating func removeExpired(at now: Instant) -> [Int] {
        let outworn = state.removeExpired(at: now)
        if !outworn.isEmpty { history.record(.outworn(outworn)) }
        return outworn
    }

    mutating func close() -> (connections: [Int], places: [Int]) {
        var closed = state.close()
        if bug == .leavesWaiting { closed.places = [] }
        history.record(.close(connections: closed.connections, places: closed.places))
        return closed
    }

    func report(at now: Instant) -> ConnectionReport { state.report(at: now) }
}
