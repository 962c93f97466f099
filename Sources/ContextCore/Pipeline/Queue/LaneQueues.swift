/// The waiting writes, in a queue for each lane and a queue for writes without a lane.
struct LaneQueues {
    private var queues: [String?: TicketQueue] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Appends a write to the queue of its lane.
    mutating func append(_ ticket: PipelineTicket, lane: String?) {
        queues[lane, default: TicketQueue()].append(ticket)
        count += 1
    }

    /// Returns the write that has waited longest in any lane that isn't busy.
    ///
    /// - Parameters:
    ///   - busy: The busy lanes.
    ///   - free: A lane that doesn't count as busy.
    func first(
        outside busy: [String: PipelineTicket], ignoringBusy free: String? = nil
    ) -> (lane: String?, ticket: PipelineTicket)? {
        var first: (lane: String?, ticket: PipelineTicket)?
        for (lane, queue) in queues where lane == free || lane.map({ busy[$0] == nil }) ?? true {
            guard let ticket = queue.first, first.map({ ticket < $0.ticket }) ?? true else { continue }
            first = (lane, ticket)
        }
        return first
    }

    /// Removes the write that has waited longest in a lane.
    mutating func removeFirst(of lane: String?) {
        guard let index = queues.index(forKey: lane), queues.values[index].removeFirst() != nil else {
            return
        }
        didRemoveTicket(at: index)
    }

    /// Removes a write from its lane; returns false if it is in none.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard let index = queues.firstIndex(where: { $0.value.contains(ticket) }) else { return false }
        _ = queues.values[index].remove(ticket)
        didRemoveTicket(at: index)
        return true
    }

    /// Empties all lanes, and returns their writes.
    mutating func removeAll() -> [PipelineTicket] {
        defer { self = LaneQueues() }
        return queues.values.flatMap(\.all)
    }

    /// Removes a lane that has become empty, so that unused lanes cost no memory.
    private mutating func didRemoveTicket(at index: Dictionary<String?, TicketQueue>.Index) {
        count -= 1
        if queues.values[index].isEmpty { queues.remove(at: index) }
    }
}
