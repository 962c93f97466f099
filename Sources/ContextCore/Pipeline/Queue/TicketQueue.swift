/// A FIFO queue of waiting tickets, with cheap removal from the middle.
///
/// Tickets are appended in the order of their numbers, so the queue is sorted.
struct TicketQueue {
    /// The tickets in order, including removed ones that have not reached the front yet.
    private var tickets: [PipelineTicket] = []
    private var start = 0
    /// The removed tickets that are still in `tickets`; usually empty.
    private var removed: Set<PipelineTicket> = []

    var count: Int { tickets.count - start - removed.count }
    var isEmpty: Bool { count == 0 }
    /// The ticket that has waited longest.
    var first: PipelineTicket? { start < tickets.count ? tickets[start] : nil }
    /// All waiting tickets, in order.
    var all: [PipelineTicket] { tickets[start...].filter { !removed.contains($0) } }

    /// Appends a ticket.
    mutating func append(_ ticket: PipelineTicket) { tickets.append(ticket) }

    /// Removes the ticket that has waited longest.
    @discardableResult
    mutating func removeFirst() -> PipelineTicket? {
        guard let ticket = first else { return nil }
        start += 1
        compact()
        return ticket
    }

    /// Removes a ticket; returns false if it isn't in the queue.
    mutating func remove(_ ticket: PipelineTicket) -> Bool {
        guard contains(ticket) else { return false }
        // The common case: an operation refused at once because the queue is full.
        if tickets.last == ticket { tickets.removeLast() } else { removed.insert(ticket) }
        compact()
        return true
    }

    /// Empties the queue, and returns its tickets in order.
    mutating func removeAll() -> [PipelineTicket] {
        defer { self = TicketQueue() }
        return all
    }

    /// Whether a ticket is in the queue.
    func contains(_ ticket: PipelineTicket) -> Bool {
        var (low, high) = (start, tickets.count)
        while low < high {
            let middle = (low + high) / 2
            if tickets[middle] < ticket { low = middle + 1 } else { high = middle }
        }
        return low < tickets.count && tickets[low] == ticket && !removed.contains(ticket)
    }

    /// Skips removed tickets at the front, and compacts the storage once more than half of it is unused.
    private mutating func compact() {
        while !removed.isEmpty, start < tickets.count, removed.remove(tickets[start]) != nil { start += 1 }
        guard tickets.count > 2 * count + 32 else { return }
        (tickets, start, removed) = (all, 0, [])
    }
}
