/// A copy of an object's current values, with typed properties, that can be sent to other isolations and encoded.
///
/// ```swift
/// let snapshot = game.snapshot()                       // EntitySnapshot<Game>
/// print(snapshot.title, snapshot.players?.count ?? 0)
/// let same = try context.object(from: snapshot)        // the same object, in another context
/// ```
///
/// A relationship returns identifiers: an `ObjectID?`, or for a to-many relationship an `[ObjectID]?` that is nil unless the relationship
/// was loaded or prefetched. A computed property is evaluated on the attributes of the snapshot.
///
/// An attribute with a value transformer is available only in its stored form, in ``objectSnapshot``; its property returns nil, zero or
/// an empty value.
///
/// A value can be missing, for example in a snapshot that an earlier version of the program has encoded. It is then
/// nil, zero or empty, or the default of a type without such a value.
///
/// Decoding throws if the encoded object's entity isn't that of `Object` or of a subclass. A subclass can't be distinguished from another entity of
/// the same inheritance tree, unless that is a superclass of `Object`.
@dynamicMemberLookup
public struct EntitySnapshot<Object: ManagedObject>: Sendable, Hashable, Codable {
    /// The values by name.
    public let objectSnapshot: ObjectSnapshot

    /// Creates a typed snapshot from an untyped one.
    public init(objectSnapshot: ObjectSnapshot) {
        self.objectSnapshot = objectSnapshot
    }

    public init(from decoder: any Decoder) throws {
        objectSnapshot = try ObjectSnapshot(from: decoder)
        if Self.mayContain(objectSnapshot) { return }
        throw DecodingError.typeMismatch(
            Self.self,
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "The snapshot is of the entity \(objectSnapshot.entityName), not of \(Object.entityName)."
            ))
    }

    /// Whether a snapshot may be that of an object of the class.
    private static func mayContain(_ snapshot: ObjectSnapshot) -> Bool {
        if Object.self == ManagedObject.self || snapshot.entityName == Object.entityName { return true }
        let names = Object.inheritedEntityNames
        return !names.contains(snapshot.entityName)
            && snapshot.objectID.entityName == names.last ?? Object.entityName
    }

    public func encode(to encoder: any Encoder) throws { try objectSnapshot.encode(to: encoder) }

    /// The object's identifier.
    public var objectID: ObjectID { objectSnapshot.objectID }
}

extension EntitySnapshot {
    /// The value of an attribute.
    public subscript<Value: AttributeValue>(dynamicMember path: KeyPath<Object, Value>) -> Value {
        guard let name = PropertyNameCache.attribute(of: path) else { return valueOfDetachedObject(at: path) }
        return objectSnapshot.attributes[name].flatMap(Value.init(storedValue:)) ?? .placeholder
    }

    /// The value of an attribute that is stored as JSON.
    @_disfavoredOverload
    public subscript<Value: Codable>(dynamicMember path: KeyPath<Object, Value>) -> Value {
        valueOfDetachedObject(at: path)
    }

    /// The target of an optional to-one relationship.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, Target?>) -> ObjectID? {
        objectSnapshot.references[relationship(path)]
    }

    /// The target of a to-one relationship; nil if it has not been set.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, Target>) -> ObjectID? {
        objectSnapshot.references[relationship(path)]
    }

    /// The members of a to-many relationship, in no order; nil unless it was loaded or prefetched.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, Set<Target>>) -> [ObjectID]? {
        objectSnapshot.collections[relationship(path)]
    }

    /// The members of an ordered to-many relationship; nil unless it was loaded or prefetched.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, [Target]>) -> [ObjectID]? {
        objectSnapshot.collections[relationship(path)]
    }

    private func relationship<Value>(_ path: KeyPath<Object, Value>) -> String {
        PropertyNameCache.relationship(of: path)
    }

    /// Evaluates a property on a detached object that has the snapshot's attributes.
    private func valueOfDetachedObject<Value>(at path: KeyPath<Object, Value>) -> Value {
        KeyPathProbe(returning: .values(objectSnapshot.attributes)).value(at: path)
    }
}

extension ManagedObject {
    /// The names of the superentities, up to the root of the inheritance tree.
    fileprivate static var inheritedEntityNames: [String] {
        var names: [String] = []
        var type: ManagedObject.Type = self
        var name = entityDescription.superentityName
        while let wanted = name, let above = _getSuperclass(type) as? ManagedObject.Type {
            type = above
            if type.entityName != wanted { continue }
            names.append(wanted)
            name = type.entityDescription.superentityName
        }
        return names
    }
}

/// The protocol that all managed objects conform to, so that `snapshot()` can return the object's class.
public protocol SnapshotConvertible: ManagedObject {}

extension ManagedObject: SnapshotConvertible {}

extension SnapshotConvertible {
    /// Returns a copy of the object's current values, with typed properties.
    public func snapshot() -> EntitySnapshot<Self> {
        EntitySnapshot(objectSnapshot: snapshot())
    }
}

extension ObjectContext {
    /// Returns this context's object for a snapshot.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the snapshot's object doesn't belong to the context's store.
    public func object<Object: ManagedObject>(from snapshot: EntitySnapshot<Object>) throws -> Object {
        try object(with: snapshot.objectID, as: Object.self)
    }

    /// Returns this context's object for a snapshot.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` if the snapshot's object doesn't belong to the context's store.
    public func object(from snapshot: ObjectSnapshot) throws -> ManagedObject {
        try object(with: snapshot.objectID)
    }
}
