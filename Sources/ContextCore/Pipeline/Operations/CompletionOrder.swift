/// Orders the completions of one destination: they run one at a time, in the order in which their operations were submitted.
///
/// It is a value without locks and threads. Each method returns the completion to run next, if any. Every ticket must be
/// finished, even if its operation fails, because later completions wait for it.
struct CompletionOrder<Completion> {
    /// The position of an operation in the order of submission.
    struct Ticket: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    /// Completions that are ready and wait for earlier ones, by ticket number.
    private var finished: [UInt64: Completion] = [:]
    /// The number of the completion that runs next.
    private var next: UInt64 = 0
    /// The number of the ticket that is issued next.
    private var end: UInt64 = 0
    private var isRunning = false

    /// Whether every ticket was finished and its completion has run.
    var isEmpty: Bool { next == end && !isRunning }

    /// Issues a ticket to an operation that is being submitted.
    mutating func submit() -> Ticket {
        defer { end += 1 }
        return Ticket(number: end)
    }

    /// Records that an operation has ended, and returns the completion to run now; nil if it must wait for an earlier one.
    mutating func finish(_ ticket: Ticket, _ completion: Completion) -> Completion? {
        finished[ticket.number] = completion
        return dequeue()
    }

    /// Records that the last returned completion has run, and returns the next one; nil if its operation has not ended.
    mutating func didRun() -> Completion? {
        isRunning = false
        return dequeue()
    }

    private mutating func dequeue() -> Completion? {
        guard !isRunning, let completion = finished.removeValue(forKey: next) else { return nil }
        next += 1
        isRunning = true
        return completion
    }
}
