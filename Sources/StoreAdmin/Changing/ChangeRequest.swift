import ContextCore
import Foundation

/// The changes that a caller requests, checked against the model.
struct ChangeRequest: Sendable {
    var changes: [RequestedChange] = []
    /// Whether the document requests validation without saving.
    var isDry = false
    /// The values that don't have the form of their attributes; the changes lack them.
    var failures: [ChangeFailure] = []
    /// The objects that the document names by URIs, which contain the identity of their store.
    var uris: [URI] = []

    struct URI: Sendable {
        let place: ChangePlace
        let text: String
        let storeID: UUID
    }
}

/// The insertion, the update or the deletion of one object.
struct RequestedChange: Sendable {
    enum Action: String, Sendable, CaseIterable { case insert, update, delete }

    /// The verbs that change a to-many relationship.
    enum MemberVerb: String, Sendable, CaseIterable { case set, add, remove }

    /// A new value of an attribute, or of a part of a composite.
    struct AttributeChange: Sendable {
        /// The name as written, such as `score` or `place.city`.
        let name: String
        let property: PropertyLayout
        /// The index of the part; nil for the whole attribute.
        let part: Int?
        let value: StoredValue
    }

    /// A new target of a to-one relationship; nil clears it.
    struct ReferenceChange: Sendable {
        let property: PropertyLayout
        let target: ChangeTarget?
    }

    /// Members that replace those of a to-many relationship, or that are added or removed.
    struct MemberChange: Sendable {
        let property: PropertyLayout
        let verb: MemberVerb
        let targets: [ChangeTarget]
    }

    let place: ChangePlace
    let action: Action
    /// The entity that the caller named; the stored object may be of a subentity.
    let entity: EntityLayout
    /// The key of the object; nil for an insertion.
    let key: Int64?
    /// The temporary name of an insertion.
    let name: String?
    /// The version that the caller saw; nil if any version will do.
    let version: Int64?
    var attributes: [AttributeChange] = []
    var references: [ReferenceChange] = []
    var members: [MemberChange] = []
    /// The values that the caller saw, in the form of `get`.
    var base: [String: JSONValue] = [:]

    /// The object's name in messages: `Player:12`, a temporary name, or the place of an insertion without a name.
    var label: String {
        if let key { return "\(entity.name):\(key)" }
        return name ?? place.description
    }

    /// The key in the inheritance tree; nil for an insertion.
    var address: DeletionTrace.Address? {
        key.map { DeletionTrace.Address(rootIndex: entity.rootIndex, key: $0) }
    }
}

/// An object that a relationship of a change refers to.
enum ChangeTarget: Sendable, Hashable {
    case stored(entityIndex: Int, key: Int64)
    /// The object that the change at this index inserts.
    case inserted(change: Int)
}

/// A value, or a whole object, that can't be saved.
struct ChangeFailure: Sendable, Equatable {
    /// The place in the document; nil for an object that the document doesn't name.
    var place: String?
    /// The object, or the temporary name of an insertion.
    var object: String
    /// The property, or the part of a composite; nil for a rule of the whole object.
    var property: String?
    /// The end of a sentence that starts with the property or the object.
    var message: String

    var json: JSONValue {
        .object([
            "place": place.map(JSONValue.string) ?? .null, "object": .string(object),
            "property": property.map(JSONValue.string) ?? .null, "message": .string(message),
        ])
    }
}
