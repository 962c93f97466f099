public import Foundation

/// The identity of an object, valid in every context and process for as long as its store exists.
///
/// An identifier is *temporary* from an object's insertion until its first save, which assigns a permanent one. Identifiers are
/// values: they can cross threads, be encoded, and be written as a URI such as
/// `contextcore://7C0B…/Game/12`. The entity in the URI is the root entity of the object's inheritance tree.
public struct ObjectID: Sendable {
    let space: IdentifierSpace
    /// The number that identifies the object within its inheritance tree.
    ///
    /// The key of a temporary identifier is negative.
    public let key: Int64

    /// The name of the root entity of the object's inheritance tree.
    public var entityName: String { space.entityName }
    /// The identity of the object's store.
    public var storeID: UUID { space.storeID }
    /// Whether the object has not been saved yet.
    public var isTemporary: Bool { key < 0 }
}

/// The store and root entity of identifiers, shared by all identifiers of one inheritance tree in one store.
final class IdentifierSpace: Sendable {
    let storeID: UUID
    let entityName: String
    let rootIndex: Int?

    init(storeID: UUID, entityName: String, rootIndex: Int?) {
        self.storeID = storeID
        self.entityName = entityName
        self.rootIndex = rootIndex
    }
}

extension ObjectID: Hashable {
    public static func == (left: ObjectID, right: ObjectID) -> Bool {
        left.key == right.key
            && (left.space === right.space
                || left.space.entityName == right.space.entityName
                    && left.space.storeID == right.space.storeID)
    }

    /// Hashes the key only, which is cheaper than hashing names and UUIDs; equal keys of different entities collide.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ObjectID: CustomStringConvertible {
    private static let scheme = "contextcore"

    /// The root entity and the key, such as `Game/12`; `Game/t12` for a temporary identifier.
    public var description: String { isTemporary ? "\(entityName)/t\(-key)" : "\(entityName)/\(key)" }

    /// The identifier as a URI that ``init(uri:)`` reads.
    public var uri: String { "\(Self.scheme)://\(storeID.uuidString)/\(description)" }

    /// Creates an identifier from a URI; returns nil if the text isn't the URI of an object.
    public init?(uri: String) {
        let prefix = Self.scheme + "://"
        guard uri.hasPrefix(prefix) else { return nil }
        let parts = uri.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let storeID = UUID(uuidString: String(parts[0])), !parts[1].isEmpty else {
            return nil
        }
        let isTemporary = parts[2].hasPrefix("t")
        guard let number = Int64(parts[2].dropFirst(isTemporary ? 1 : 0)), number > 0 else { return nil }
        self.init(
            space: IdentifierSpace(storeID: storeID, entityName: String(parts[1]), rootIndex: nil),
            key: isTemporary ? -number : number)
    }
}

extension ObjectID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = ObjectID(uri: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "The text is not the URI of an object identifier.")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uri)
    }
}
