public import Foundation

/// A moment in a store's life: the last transaction that is part of it.
///
/// Tokens of one store compare by age. They can be kept, and sent to other processes.
public struct StoreToken: Sendable, Hashable, Codable {
    /// The store's identity.
    public let storeID: UUID
    /// The number of the last transaction; 0 before the first.
    public let sequence: Int64

    /// Makes a token.
    public init(storeID: UUID, sequence: Int64) {
        self.storeID = storeID
        self.sequence = sequence
    }
}

extension StoreToken {
    /// Makes sure that a history can go on from here: that it is a moment of the same store, up to which it has come, and after
    /// which nothing has been forgotten.
    ///
    /// - Parameters:
    ///   - moment: The moment that the session sees.
    ///   - pruned: The number of the last transaction that has been forgotten; 0 where there is none.
    /// - Throws: ``StoreError/Code/historyExpired``.
    package func check(at moment: StoreToken, prunedThrough pruned: Int64) throws(StoreError) {
        func expired(_ reason: ExpiredHistory.Reason, _ message: String) -> StoreError {
            let oldest = StoreToken(storeID: moment.storeID, sequence: pruned)
            return StoreError(
                .historyExpired, message,
                remedy: "Fetch everything anew, and go on after transaction \(moment.sequence), the newest.",
                expiredHistory: ExpiredHistory(reason: reason, oldest: oldest, newest: moment))
        }
        if storeID != moment.storeID { throw expired(.otherStore, Self.ofAnotherStore) }
        if sequence < pruned {
            throw expired(
                .forgotten, "The history begins after transaction \(pruned), and \(sequence) was asked for.")
        }
        if sequence > moment.sequence {
            throw expired(
                .earlierState,
                "The store has had \(moment.sequence) transactions, and what came after \(sequence) was asked for. "
                    + "It is an earlier state of the store.")
        }
    }

    /// The moments after this one up to another of the same store.
    package func successors(through last: StoreToken) -> [StoreToken] {
        guard last.sequence > sequence else { return [] }
        if last.sequence == sequence + 1 { return [last] }
        return ((sequence + 1)...last.sequence).map { StoreToken(storeID: storeID, sequence: $0) }
    }

    /// Makes sure that it is a moment of a store.
    ///
    /// - Throws: ``StoreError/Code/historyExpired``.
    package func check(isOf storeID: UUID) throws(StoreError) {
        if self.storeID == storeID { return }
        throw StoreError(
            .historyExpired, Self.ofAnotherStore, remedy: "Take the token of a transaction of this store.")
    }

    private static let ofAnotherStore = "The token belongs to another store."
}
