/// Writes that wait, in a line for each lane that anybody waits in, and one for those that have none.
struct LaneLines {
    private var lines: [String?: WaitingLine] = [:]
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Joins the end of its lane.
    mutating func append(_ ticket: PipelineTicket, lane: String?) {
        lines[lane, default: WaitingLine()].append(ticket)
        count += 1
    }

    /// The one that has waited longest in any lane that isn't busy.
    ///
    /// - Parameter free: A lane that doesn't count as busy.
    func first(
        outside busy: [String: PipelineTicket], besides free: String? = nil
    ) -> (lane: String?, ticket: PipelineTicket)? {
        var first: (lane: String?, ticket: PipelineTicket)?
        for (lane, line) in lines where lane == free || lane.map({ busy[$0] == nil }) ?? true {
            guard let ticket = line.first, first.map({ ticket < $0.ticket }) ?? true else { continue }
            first = (lane, ticket)
        }
        return first
    }

    /// Takes the one that has waited longest in a lane.
    mutating func removeFirst(of lane: String?) {
        guard let place = lines.index(forKey: lane), lines.values[place].removeFirst() != nil else { return }
        noteRemoval(at: place)
    }

    /// Takes one out of its lane; false if it is in none.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard let place = lines.firstIndex(where: { $0.value.contains(ticket) }) else { return false }
        _ = lines.values[place].remove(ticket)
        noteRemoval(at: place)
        return true
    }

    /// Empties all lanes, and returns who was in them.
    mutating func removeAll() -> [PipelineTicket] {
        defer { self = LaneLines() }
        return lines.values.flatMap(\.all)
    }

    /// A lane that nobody waits in costs nothing, so there may be as many as there are tenants.
    private mutating func noteRemoval(at place: Dictionary<String?, WaitingLine>.Index) {
        count -= 1
        if lines.values[place].isEmpty { lines.remove(at: place) }
    }
}
