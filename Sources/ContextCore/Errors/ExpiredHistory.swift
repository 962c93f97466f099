/// Why a history can't go on after a moment, and where it can: what a ``StoreError/Code/historyExpired`` of a history carries.
///
/// ```swift
/// func follow(_ store: Store, after last: StoreToken?) async throws -> StoreToken? {
///     do {
///         let transactions = try await store.history(after: last)
///         return transactions.last?.token ?? last
///     } catch let error as StoreError {
///         guard let expired = error.expiredHistory else { throw error }
///         _ = try await store.read("anew") { try $0.count(Game.self) }    // fetch everything anew
///         return expired.newest                                           // and go on from here
///     }
/// }
/// ```
public struct ExpiredHistory: Sendable, Hashable {
    /// Why a history can't go on after a moment.
    public enum Reason: Sendable, Hashable {
        /// What came next has been forgotten.
        case forgotten
        /// It is a moment of another store.
        case otherStore
        /// The store has not come to it: it has been replaced by an earlier state of itself, such as a backup.
        case earlierState
    }

    /// Why it can't go on.
    public let reason: Reason
    /// The earliest moment after which the history still has everything.
    public let oldest: StoreToken
    /// The moment at which was asked: who fetches everything now, and goes on after this, misses nothing.
    ///
    /// What is saved between this moment and the fetch comes with both.
    public let newest: StoreToken

    /// Says why, and where: for a backend, whose history it is.
    public init(reason: Reason, oldest: StoreToken, newest: StoreToken) {
        self.reason = reason
        self.oldest = oldest
        self.newest = newest
    }
}
