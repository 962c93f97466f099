/// Writes that wait, in a line for each lane that anybody waits in.
struct LaneLines {
    private var lines: [String: WaitingLine] = [:]
    /// The lane of each ticket that waits.
    private var lanes: [PipelineTicket: String] = [:]

    var count: Int { lanes.count }
    var isEmpty: Bool { lanes.isEmpty }

    /// Joins the end of its lane.
    mutating func append(_ ticket: PipelineTicket, lane: String) {
        lines[lane, default: WaitingLine()].append(ticket)
        lanes[ticket] = lane
    }

    /// The one that has waited longest in any lane that isn't busy.
    mutating func first(outside busy: [String: PipelineTicket]) -> (lane: String, ticket: PipelineTicket)? {
        var first: (lane: String, ticket: PipelineTicket)?
        for lane in lines.keys where busy[lane] == nil {
            guard let ticket = lines[lane]?.first(), first.map({ ticket < $0.ticket }) ?? true else {
                continue
            }
            first = (lane, ticket)
        }
        return first
    }

    /// Takes the one that has waited longest in a lane.
    mutating func removeFirst(of lane: String) {
        guard let ticket = lines[lane]?.removeFirst() else { return }
        forget(ticket, lane)
    }

    /// Takes one out of its lane; false if it is in none.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard let lane = lanes[ticket] else { return false }
        _ = lines[lane]?.remove(ticket)
        forget(ticket, lane)
        return true
    }

    /// Empties all lanes, and returns who was in them.
    mutating func removeAll() -> [PipelineTicket] {
        defer { self = LaneLines() }
        return Array(lanes.keys)
    }

    /// A lane that nobody waits in costs nothing, so there may be as many as there are tenants.
    private mutating func forget(_ ticket: PipelineTicket, _ lane: String) {
        lanes[ticket] = nil
        if lines[lane]?.isEmpty == true { lines[lane] = nil }
    }
}
