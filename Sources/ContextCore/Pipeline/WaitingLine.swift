/// Tickets that wait, first in, first out; one that gives up costs no more than one that is served.
struct WaitingLine {
    /// In order of submission; those that gave up are still among them until they come first.
    private var tickets: [PipelineTicket] = []
    private var start = 0
    private var waiting: Set<PipelineTicket> = []

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// Joins the end of the line.
    mutating func append(_ ticket: PipelineTicket) {
        tickets.append(ticket)
        waiting.insert(ticket)
    }

    /// The one that has waited longest; those before it that gave up are forgotten.
    mutating func first() -> PipelineTicket? {
        while start < tickets.count, !waiting.contains(tickets[start]) { start += 1 }
        return start < tickets.count ? tickets[start] : nil
    }

    /// Takes the one that has waited longest.
    @discardableResult
    mutating func removeFirst() -> PipelineTicket? {
        guard let ticket = first() else { return nil }
        start += 1
        waiting.remove(ticket)
        compact()
        return ticket
    }

    /// Takes one out of the line; false if it is not in it.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard waiting.remove(ticket) != nil else { return false }
        compact()
        return true
    }

    /// Empties the line, and returns who was in it, in order.
    mutating func removeAll() -> [PipelineTicket] {
        let all = tickets[start...].filter(waiting.contains)
        self = WaitingLine()
        return all
    }

    /// Forgets those that were served or gave up, once they are the most of what is kept.
    private mutating func compact() {
        guard tickets.count > 2 * waiting.count + 32 else { return }
        tickets = tickets[start...].filter(waiting.contains)
        start = 0
    }
}
