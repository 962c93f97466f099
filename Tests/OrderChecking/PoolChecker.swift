import SQLStore

/// Checks in a recorded history that a pool has lent its connections correctly, and describes the first violation.
///
/// The pool lends no more connections than its limit, none to two holders, and none that is unusable. It serves requests in their order,
/// each as soon as a connection is free. Every request gets a result, and a holder has the connection that was lent to it.
struct PoolChecker {
    private let limit: Int
    private var line: [(ticket: Int, holder: String)] = []
    private var held: [Int: String] = [:]
    private var idle: Set<Int> = []
    private var givenUp: Set<Int> = []
    private var unanswered: Set<String> = []
    private var isClosed = false

    private init(limit: Int) { self.limit = limit }

    /// Returns a description of the first violation in a history; at its end all connections must be returned.
    static func violations(_ events: [PoolEvent], limit: Int) -> [String] {
        var checker = PoolChecker(limit: limit)
        for event in events {
            if let problem = checker.problem(event) { return ["the pool: \(problem)"] }
        }
        return checker.leftovers.map { ["the pool: \($0)"] } ?? []
    }

    private mutating func problem(_ event: PoolEvent) -> String? {
        switch event {
        case .request(let holder, let answer): return request(holder, answer)
        case .replacement(let lease, let other):
            guard let holder = held.removeValue(forKey: lease.connection) else {
                return "connection \(lease.connection) was replaced, but was not lent"
            }
            givenUp.insert(lease.connection)
            return lend(other, to: holder)
        case .returnConnection(let lease, let isReusable, let answer):
            return returnConnection(lease, isReusable, answer)
        case .withdrawal(let ticket): line.removeAll { $0.ticket == ticket }
        case .expired(let connections):
            guard idle.isSuperset(of: connections) else {
                return "\(connections) were closed, but not all were idle"
            }
            giveUp(connections)
        case .close(let connections, let tickets): return close(connections, tickets)
        case .success(let holder):
            unanswered.remove(holder)
            if !held.values.contains(holder) { return "\(holder) has a connection that was not lent" }
        case .failure(let holder):
            unanswered.remove(holder)
            if held.values.contains(holder) { return "\(holder) was lent a connection, but doesn't have it" }
            if line.contains(where: { $0.holder == holder }) { return "\(holder) is still in the queue" }
        }
        return nil
    }

    private mutating func request(_ holder: String, _ answer: PoolState.RequestResult) -> String? {
        unanswered.insert(holder)
        switch answer {
        case .lent(let lease):
            if let first = line.first { return "\(holder) was served before \(first.holder)" }
            return isClosed ? "\(holder) was lent a connection of a closed pool" : lend(lease, to: holder)
        case .waits(let ticket):
            line.append((ticket, holder))
            if isClosed { return "\(holder) waits for a closed pool" }
            return held.count < limit ? "\(holder) waits, although a connection is free" : nil
        case .closed: return isClosed ? nil : "\(holder) failed as closed, but the pool is open"
        }
    }

    private mutating func lend(_ lease: PoolState.Lease, to holder: String) -> String? {
        if held.count >= limit { return "\(holder) was lent a connection beyond the limit" }
        if lease.isNew {
            if held[lease.connection] != nil || idle.contains(lease.connection)
                || givenUp.contains(lease.connection)
            {
                return "connection \(lease.connection), which should be new, exists already"
            }
        } else if idle.remove(lease.connection) == nil {
            return "connection \(lease.connection) was lent to \(holder), but was not idle"
        }
        held[lease.connection] = holder
        return nil
    }

    private mutating func returnConnection(
        _ lease: PoolState.Lease, _ isReusable: Bool, _ answer: PoolState.Return
    ) -> String? {
        guard held.removeValue(forKey: lease.connection) != nil else {
            return "connection \(lease.connection) was returned, but was not lent"
        }
        if answer.isDiscarded {
            givenUp.insert(lease.connection)
        } else {
            idle.insert(lease.connection)
            if !isReusable || isClosed { return "connection \(lease.connection) was kept" }
        }
        guard let next = answer.next else {
            return line.first.map { "connection \(lease.connection) came back, and \($0.holder) waits still" }
        }
        guard let first = line.first, first.ticket == next.ticket else {
            return "place \(next.ticket) was served, and \(line.map(\.ticket)) waited"
        }
        line.removeFirst()
        return lend(next.lease, to: first.holder)
    }

    private mutating func close(_ connections: [Int], _ tickets: [Int]) -> String? {
        isClosed = true
        defer { line = [] }
        if idle != Set(connections) { return "\(idle.sorted()) are idle, and \(connections) were closed" }
        giveUp(connections)
        return tickets == line.map(\.ticket)
            ? nil : "\(line.map(\.ticket)) waited when the pool was closed, but \(tickets) were woken"
    }

    private mutating func giveUp(_ connections: [Int]) {
        idle.subtract(connections)
        givenUp.formUnion(connections)
    }

    /// The violation that remains at the end: a request without a result, or a connection that was not returned.
    private var leftovers: String? {
        if !unanswered.isEmpty { return "\(unanswered.sorted()) never got a result" }
        return held.isEmpty ? nil : "\(held.values.sorted()) never returned their connections"
    }
}
