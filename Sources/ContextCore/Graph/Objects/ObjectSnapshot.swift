/// The values of an object at one moment, as a value that may cross to other threads and be encoded.
///
/// Snapshots of `@Entity` classes have typed properties; this one goes by name.
public struct ObjectSnapshot: Sendable, Hashable, Codable {
    /// The object's identifier.
    public let objectID: ObjectID
    /// The object's entity.
    public let entityName: String
    /// The attributes by name.
    public let attributes: [String: StoredValue]
    /// What the to-one relationships lead to, by name.
    public let references: [String: ObjectID]
    /// What the to-many relationships lead to, by name; only of those that were loaded.
    public let collections: [String: [ObjectID]]

    /// The value of an attribute, as its Swift type; nil when there is no such attribute or it is of another type.
    public func value<Value: AttributeValue>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        attributes[name].flatMap(Value.init(storedValue:))
    }
}

extension ManagedObject {
    /// The object's values as they are now.
    @_disfavoredOverload
    public final func snapshot() -> ObjectSnapshot {
        var attributes: [String: StoredValue] = [:]
        var references: [String: ObjectID] = [:]
        var collections: [String: [ObjectID]] = [:]
        for property in entity.properties {
            guard let relationship = property.relationship else {
                attributes[property.name] = storedValue(at: property.slot)
                continue
            }
            if relationship.description.isToMany {
                collections[property.name] = loadedIdentifiers(at: property.slot)
            } else {
                references[property.name] = graph.target(of: self, slot: property.slot)?.objectID
            }
        }
        return ObjectSnapshot(
            objectID: objectID, entityName: entity.name, attributes: attributes, references: references,
            collections: collections)
    }

    /// The identifiers of a to-many relationship's members; nil if it has not been loaded.
    private final func loadedIdentifiers(at slot: Int) -> [ObjectID]? {
        guard case .collection(let state)? = overlay?.slots[slot], state.isLoaded else { return nil }
        let members = state.orderedMembers
        return members.filter(\.isKept).map(\.objectID)
    }
}
