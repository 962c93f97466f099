/// Tickets that wait, first in, first out; one that gives up costs no more than one that is served.
struct WaitingLine {
    /// In order of submission; those that gave up are still among them until they come first.
    private var tickets: [PipelineTicket] = []
    private var first = 0
    private var waiting: Set<PipelineTicket> = []

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// Joins the end of the line.
    mutating func append(_ ticket: PipelineTicket) {
        tickets.append(ticket)
        waiting.insert(ticket)
    }

    /// Takes the one that has waited longest.
    mutating func popFirst() -> PipelineTicket? {
        while first < tickets.count {
            let ticket = tickets[first]
            first += 1
            if waiting.remove(ticket) != nil {
                compact()
                return ticket
            }
        }
        compact()
        return nil
    }

    /// Takes one out of the line; false if it is not in it.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard waiting.remove(ticket) != nil else { return false }
        compact()
        return true
    }

    /// Empties the line, and returns who was in it, in order.
    mutating func removeAll() -> [PipelineTicket] {
        let all = tickets[first...].filter(waiting.contains)
        self = WaitingLine()
        return all
    }

    /// Forgets those that were served or gave up, once they are the most of what is kept.
    private mutating func compact() {
        guard tickets.count > 2 * waiting.count + 32 else { return }
        tickets = tickets[first...].filter(waiting.contains)
        first = 0
    }
}
