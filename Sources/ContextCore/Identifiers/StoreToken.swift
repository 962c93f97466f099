public import Foundation

/// A position in the history of a store: its last transaction at some time.
///
/// The ``sequence`` orders the tokens of one store. Tokens can be stored, and sent to other processes.
public struct StoreToken: Sendable, Hashable, Codable {
    /// The store's identity.
    public let storeID: UUID
    /// The number of the last transaction; 0 if there is none.
    public let sequence: Int64

    /// Creates a token.
    public init(storeID: UUID, sequence: Int64) {
        self.storeID = storeID
        self.sequence = sequence
    }
}

extension StoreToken {
    /// Returns the tokens after this one, up to another of the same store.
    package func successors(through last: StoreToken) -> [StoreToken] {
        guard last.sequence > sequence else { return [] }
        if last.sequence == sequence + 1 { return [last] }
        return ((sequence + 1)...last.sequence).map { StoreToken(storeID: storeID, sequence: $0) }
    }
}
