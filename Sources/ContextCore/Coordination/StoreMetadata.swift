public import Foundation

/// Says who a store is, what model it was made with, and what a program noted about it.
public struct StoreMetadata: Sendable, Hashable, Codable {
    /// The store's identity, part of every identifier of its objects.
    public var storeID: UUID
    /// The fingerprint of the model that it was made or migrated with.
    public var modelFingerprint: String
    /// Whatever a program wants to note.
    public var userInfo: [String: String]

    /// Makes metadata.
    public init(storeID: UUID, modelFingerprint: String, userInfo: [String: String] = [:]) {
        self.storeID = storeID
        self.modelFingerprint = modelFingerprint
        self.userInfo = userInfo
    }
}
