/// An operation's place in the order of submission.
struct PipelineTicket: Hashable, Comparable, Sendable {
    let number: UInt64

    static func < (left: PipelineTicket, right: PipelineTicket) -> Bool { left.number < right.number }
}
