public import Foundation

/// The identity of a store, the fingerprint of its model, and a program's own metadata.
public struct StoreMetadata: Sendable, Hashable, Codable {
    /// The store's identity, part of every identifier of its objects.
    public var storeID: UUID
    /// The fingerprint of the model with which it was made or last migrated.
    public var modelFingerprint: String
    /// The program's own metadata.
    public var userInfo: [String: String]

    /// Creates metadata.
    public init(storeID: UUID, modelFingerprint: String, userInfo: [String: String] = [:]) {
        self.storeID = storeID
        self.modelFingerprint = modelFingerprint
        self.userInfo = userInfo
    }
}
