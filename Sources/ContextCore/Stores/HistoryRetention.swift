import Foundation

/// A policy for how much of a store's history is retained.
///
/// ```swift
/// try await store.pruneHistory(keeping: HistoryRetention(age: .seconds(7 * 86_400), transactions: 100_000))
/// ```
///
/// Pruning deletes transactions older than ``age``, and the oldest ones if there are more than ``transactions``. If ``keepsUnreadRecords``
/// is true, it doesn't delete transactions that a registered consumer has not read.
public struct HistoryRetention: Sendable, Hashable {
    /// The maximum age of a transaction; nil for no limit.
    public var age: Duration?
    /// The maximum number of transactions, the newest ones; nil for no limit.
    public var transactions: Int?
    /// Whether transactions that a registered consumer has not read are retained, regardless of age and number.
    public var keepsUnreadRecords: Bool

    /// Creates a policy; if neither limit is set, only transactions that a consumer has not read are retained.
    public init(age: Duration? = nil, transactions: Int? = nil, keepsUnreadRecords: Bool = true) {
        self.age = age
        self.transactions = transactions
        self.keepsUnreadRecords = keepsUnreadRecords
    }
}

extension HistoryRetention {
    /// Returns the number of the last transaction to delete.
    ///
    /// - Parameters:
    ///   - session: The session that reads the history.
    ///   - consumers: The numbers of the last transactions that consumers have read.
    ///   - now: The current time.
    func lastPrunable(_ session: any ReadSession, consumers: [Int64], now: Date) throws -> Int64 {
        let newest = session.token.sequence
        var last = age == nil && transactions == nil ? newest : 0
        if let transactions { last = max(last, newest - Int64(max(0, transactions))) }
        if let age { last = max(last, try lastCommitted(before: now - age.seconds, session)) }
        let unread = keepsUnreadRecords ? consumers.min() : nil
        return min(last, unread ?? last)
    }

    /// Returns the number of the last transaction committed before a date.
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
