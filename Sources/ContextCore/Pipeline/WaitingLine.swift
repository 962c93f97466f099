/// Tickets that wait, first in, first out; one that gives up costs little more than one that is served.
///
/// A ticket joins after all that were given out before it, so they stand in order.
struct WaitingLine {
    /// In order of submission; those that gave up are still among them until they come first.
    private var tickets: [PipelineTicket] = []
    private var start = 0
    /// Those that gave up, and are not forgotten yet; seldom anybody.
    private var gone: Set<PipelineTicket> = []

    var count: Int { tickets.count - start - gone.count }
    var isEmpty: Bool { count == 0 }
    /// The one that has waited longest.
    var first: PipelineTicket? { start < tickets.count ? tickets[start] : nil }
    /// All of them, in order.
    var all: [PipelineTicket] { tickets[start...].filter { !gone.contains($0) } }

    /// Joins the end of the line.
    mutating func append(_ ticket: PipelineTicket) { tickets.append(ticket) }

    /// Takes the one that has waited longest.
    @discardableResult
    mutating func removeFirst() -> PipelineTicket? {
        guard let ticket = first else { return nil }
        start += 1
        forget()
        return ticket
    }

    /// Takes one out of the line; false if it is not in it.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard contains(ticket) else { return false }
        // So leaves who finds the line too long.
        if tickets.last == ticket { tickets.removeLast() } else { gone.insert(ticket) }
        forget()
        return true
    }

    /// Empties the line, and returns who was in it, in order.
    mutating func removeAll() -> [PipelineTicket] {
        defer { self = WaitingLine() }
        return all
    }

    /// Whether one is in the line.
    func contains(_ ticket: PipelineTicket) -> Bool {
        var (low, high) = (start, tickets.count)
        while low < high {
            let middle = (low + high) / 2
            if tickets[middle] < ticket { low = middle + 1 } else { high = middle }
        }
        return low < tickets.count && tickets[low] == ticket && !gone.contains(ticket)
    }

    /// Forgets those that gave up and come first now, and whatever else is of no use once it is the most of what is kept.
    private mutating func forget() {
        while !gone.isEmpty, start < tickets.count, gone.remove(tickets[start]) != nil { start += 1 }
        guard tickets.count > 2 * count + 32 else { return }
        (tickets, start, gone) = (all, 0, [])
    }
}
