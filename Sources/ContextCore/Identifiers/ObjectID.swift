public import Foundation

/// Identifies an object, in every context and process, for as long as its store exists.
///
/// An identifier is *temporary* from an object's insertion until its first save, when it gets its permanent one. Identifiers are
/// values: they may cross between threads, be encoded, and be written as a URI such as
/// `contextcore://7C0B…/Game/12`. The entity in it is the uppermost one of its inheritance tree.
public struct ObjectID: Sendable {
    let space: IdentifierSpace
    /// The number that identifies the object among those of its inheritance tree.
    ///
    /// Negative while temporary.
    public let key: Int64

    init(space: IdentifierSpace, key: Int64) {
        self.space = space
        self.key = key
    }

    /// The name of the uppermost entity of the object's inheritance tree.
    public var entityName: String { space.entityName }
    /// The identity of the object's store.
    public var storeID: UUID { space.storeID }
    /// Whether the object has not been saved yet.
    public var isTemporary: Bool { key < 0 }
}

/// What the identifiers of one inheritance tree in one store have in common, kept once for all of them.
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

    /// Keys of different entities may collide, which costs less than hashing names and UUIDs every time.
    public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension ObjectID: CustomStringConvertible {
    private static let scheme = "contextcore"

    /// The entity and the key, for people.
    public var description: String { isTemporary ? "\(entityName)/t\(-key)" : "\(entityName)/\(key)" }

    /// The identifier as a URI, from which ``init(uri:)`` makes it again.
    public var uri: String { "\(Self.scheme)://\(storeID.uuidString)/\(description)" }

    /// Reads a URI; nil when it isn't one of an object.
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
                in: container, debugDescription: "Not the URI of an object.")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(uri)
    }
}
