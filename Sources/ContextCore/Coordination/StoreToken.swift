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
