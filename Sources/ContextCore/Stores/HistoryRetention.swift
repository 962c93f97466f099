import Foundation

/// Says how much of a store's history is kept.
///
/// ```swift
/// try await store.pruneHistory(keeping: HistoryRetention(age: .seconds(7 * 86_400), transactions: 100_000))
/// ```
///
/// What is older than ``age`` goes, and what is more than ``transactions``; but nothing that a registered consumer has not read, as
/// long as ``awaitsConsumers`` is set.
public struct HistoryRetention: Sendable, Hashable {
    /// How old a transaction may become; nil for any age.
    public var age: Duration?
    /// How many transactions are kept at the most, the newest; nil for any number.
    public var transactions: Int?
    /// Whether what a registered consumer has not read stays, however old it is.
    public var awaitsConsumers: Bool

    /// Chooses what is kept; without an age and a number, everything that a consumer has not read, and nothing else.
    public init(age: Duration? = nil, transactions: Int? = nil, awaitsConsumers: Bool = true) {
        self.age = age
        self.transactions = transactions
        self.awaitsConsumers = awaitsConsumers
    }
}

extension HistoryRetention {
    /// The number of the last transaction that is not kept.
    ///
    /// - Parameters:
    ///   - session: What knows the history.
    ///   - consumers: The numbers of the last transactions that consumers have read.
    ///   - now: The present moment.
    func lastForgotten(_ session: any ReadSession, consumers: [Int64], now: Date) throws -> Int64 {
        let newest = session.token.sequence
        var last = age == nil && transactions == nil ? newest : 0
        if let transactions { last = max(last, newest - Int64(max(0, transactions))) }
        if let age { last = max(last, try lastCommitted(before: now - age.seconds, session)) }
        let unread = awaitsConsumers ? consumers.min() : nil
        return min(last, unread ?? last)
    }

    /// The number of the last transaction before the first that is younger than a date.
    private func lastCommitted(before date: Date, _ session: any ReadSession) throws -> Int64 {
        let young = try session.history(HistoryRequest(since: date, limit: 1).withoutChanges).first
        return young.map { $0.token.sequence - 1 } ?? session.token.sequence
    }
}

extension Duration {
    fileprivate var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
