/// The details of a ``StoreError/Code/historyExpired``: why the history can't continue after a token, and where it can.
///
/// ```swift
/// func follow(_ store: Store, after last: StoreToken?) async throws -> StoreToken? {
///     do {
///         let transactions = try await store.history(after: last)
///         return transactions.last?.token ?? last
///     } catch let error as StoreError {
///         guard let expired = error.expiredHistory else { throw error }
///         _ = try await store.read("reload") { try $0.count(Game.self) }  // fetch everything again
///         return expired.newest                                           // and continue from here
///     }
/// }
/// ```
public struct ExpiredHistory: Sendable, Hashable {
    /// The reason why a history can't continue after a token.
    public enum Reason: Sendable, Hashable {
        /// The transactions that follow the token were deleted from the history.
        case pruned
        /// The token is from another store.
        case otherStore
        /// The store hasn't reached the token: an earlier state of it, such as a backup, has replaced it.
        case earlierState
    }

    /// The reason why the history can't continue after the token.
    public let reason: Reason
    /// The earliest token after which the history is complete.
    public let oldest: StoreToken
    /// The end of the history when it was read.
    ///
    /// A caller that fetches everything now and continues after this token misses no change. Changes that were saved after this
    /// token but before the fetch appear in both.
    public let newest: StoreToken

    /// Creates a value from a backend's history.
    public init(reason: Reason, oldest: StoreToken, newest: StoreToken) {
        self.reason = reason
        self.oldest = oldest
        self.newest = newest
    }
}
