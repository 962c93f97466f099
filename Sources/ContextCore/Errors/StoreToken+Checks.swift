import Foundation

extension StoreToken {
    /// Throws if the history can't continue after this token: if it belongs to another store, if the store hasn't reached it, or if later
    /// transactions were deleted.
    ///
    /// - Parameters:
    ///   - current: The token of the session.
    ///   - pruned: The number of the last deleted transaction; 0 if none was deleted.
    /// - Throws: ``StoreError/Code/historyExpired``.
    package func check(at current: StoreToken, prunedThrough pruned: Int64) throws(StoreError) {
        func expired(_ reason: ExpiredHistory.Reason, _ message: String) -> StoreError {
            let oldest = StoreToken(storeID: current.storeID, sequence: pruned)
            return StoreError(
                .historyExpired, message,
                remedy:
                    "Fetch everything again, and continue after transaction \(current.sequence), the newest.",
                expiredHistory: ExpiredHistory(reason: reason, oldest: oldest, newest: current))
        }
        if storeID != current.storeID { throw expired(.otherStore, Self.otherStoreMessage) }
        if sequence < pruned {
            throw expired(
                .pruned,
                "The history starts after transaction \(pruned), but was requested after \(sequence).")
        }
        if sequence > current.sequence {
            throw expired(
                .earlierState,
                "The store has \(current.sequence) transactions, but the history was requested after \(sequence): the store was replaced "
                    + "by an earlier state of it.")
        }
    }

    /// Throws if the token belongs to another store.
    ///
    /// - Throws: ``StoreError/Code/historyExpired``.
    package func check(isOf storeID: UUID) throws(StoreError) {
        if self.storeID == storeID { return }
        throw StoreError(
            .historyExpired, Self.otherStoreMessage, remedy: "Use a token of this store.")
    }

    private static let otherStoreMessage = "The token belongs to another store."
}
