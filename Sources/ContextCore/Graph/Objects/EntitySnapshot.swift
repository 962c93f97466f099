/// The values of an object at one moment, with the properties that its class has, as a value that may cross and be encoded.
///
/// ```swift
/// let snapshot = game.snapshot()                       // EntitySnapshot<Game>
/// print(snapshot.title, snapshot.players?.count ?? 0)
/// let same = try context.object(from: snapshot)        // the same object, in another context
/// ```
///
/// A relationship answers what leads to its objects: an `ObjectID?`, or for a to-many relationship an `[ObjectID]?` that is nil
/// unless it was loaded. A computed property answers what it makes of the attributes.
///
/// What a transformer stands before is kept as it is stored, in ``objectSnapshot``; its property answers nil, zero or empty.
///
/// A value that is missing, as in a snapshot that an earlier version of the program has encoded, is nil, zero or empty; where
/// its type has no such value, its default.
@dynamicMemberLookup
public struct EntitySnapshot<Object: ManagedObject>: Sendable, Hashable, Codable {
    /// The values by name.
    public let objectSnapshot: ObjectSnapshot

    /// Gives the values of a snapshot that goes by name the types that they have in a class.
    public init(objectSnapshot: ObjectSnapshot) {
        self.objectSnapshot = objectSnapshot
    }

    public init(from decoder: any Decoder) throws {
        objectSnapshot = try ObjectSnapshot(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try objectSnapshot.encode(to: encoder) }

    /// The object's identifier.
    public var objectID: ObjectID { objectSnapshot.objectID }
}

extension EntitySnapshot {
    /// The value of an attribute.
    public subscript<Value: AttributeValue>(dynamicMember path: KeyPath<Object, Value>) -> Value {
        guard let name = PropertyNameCache.attribute(of: path) else { return valueOfStandIn(at: path) }
        return objectSnapshot.attributes[name].flatMap(Value.init(storedValue:)) ?? .placeholder
    }

    /// The value of an attribute that is kept as JSON.
    @_disfavoredOverload
    public subscript<Value: Codable>(dynamicMember path: KeyPath<Object, Value>) -> Value {
        valueOfStandIn(at: path)
    }

    /// What a to-one relationship leads to.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, Target?>) -> ObjectID? {
        objectSnapshot.references[relationship(path)]
    }

    /// What a to-one relationship leads to; nil if it was not set yet.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, Target>) -> ObjectID? {
        objectSnapshot.references[relationship(path)]
    }

    /// What a to-many relationship leads to, in no order; nil unless it was loaded.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, Set<Target>>) -> [ObjectID]? {
        objectSnapshot.collections[relationship(path)]
    }

    /// What an ordered to-many relationship leads to; nil unless it was loaded.
    public subscript<Target: ManagedObject>(dynamicMember path: KeyPath<Object, [Target]>) -> [ObjectID]? {
        objectSnapshot.collections[relationship(path)]
    }

    private func relationship<Value>(_ path: KeyPath<Object, Value>) -> String {
        PropertyNameCache.relationship(of: path)
    }

    /// Reads a property of an object that has the snapshot's attributes, and is part of no context.
    private func valueOfStandIn<Value>(at path: KeyPath<Object, Value>) -> Value {
        KeyPathProbe(answering: .values(objectSnapshot.attributes)).value(at: path)
    }
}

/// Lets `snapshot()` know the class that it is called on; every managed object conforms.
public protocol SnapshotTaking: ManagedObject {}

extension ManagedObject: SnapshotTaking {}

extension SnapshotTaking {
    /// The object's values as they are now, with the types that they have in its class.
    public func snapshot() -> EntitySnapshot<Self> {
        EntitySnapshot(objectSnapshot: snapshot())
    }
}

extension ObjectContext {
    /// The object that a snapshot was taken of, as it is in this context.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` when it is not one of the context's store.
    public func object<Object: ManagedObject>(from snapshot: EntitySnapshot<Object>) throws -> Object {
        try object(with: snapshot.objectID, as: Object.self)
    }

    /// The object that a snapshot was taken of, as it is in this context.
    ///
    /// - Throws: ``StoreError/Code/objectNotFound`` when it is not one of the context's store.
    public func object(from snapshot: ObjectSnapshot) throws -> ManagedObject {
        try object(with: snapshot.objectID)
    }
}
