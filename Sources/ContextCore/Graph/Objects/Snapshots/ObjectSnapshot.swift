/// A copy of an object's current values by name, which can be sent to other isolations and encoded.
///
/// ``EntitySnapshot`` is the variant with typed properties.
public struct ObjectSnapshot: Sendable, Hashable, Codable {
    /// The object's identifier.
    public let objectID: ObjectID
    /// The name of the object's entity.
    public let entityName: String
    /// The attributes by name.
    public let attributes: [String: StoredValue]
    /// The targets of the to-one relationships by name.
    public let references: [String: ObjectID]
    /// The members of the to-many relationships that were loaded or prefetched, by name.
    public let collections: [String: [ObjectID]]

    /// Returns the value of an attribute as its Swift type; nil if there is no such attribute, or if it has another type.
    public func value<Value: AttributeValue>(_ name: String, as type: Value.Type = Value.self) -> Value? {
        attributes[name].flatMap(Value.init(storedValue:))
    }
}

extension ManagedObject {
    /// Returns a copy of the object's current values by name.
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
                collections[property.name] = loadedIdentifiers(of: relationship, at: property.slot)
            } else {
                references[property.name] = graph.target(of: self, slot: property.slot)?.objectID
            }
        }
        return ObjectSnapshot(
            objectID: objectID, entityName: entity.name, attributes: attributes, references: references,
            collections: collections)
    }

    /// Returns the identifiers of a to-many relationship's members; nil if it is neither loaded nor prefetched.
    private final func loadedIdentifiers(of relationship: RelationshipLayout, at slot: Int) -> [ObjectID]? {
        guard let state = loadedState(of: relationship, at: slot) else { return nil }
        return state.orderedMembers.filter(\.isLive).map(\.objectID)
    }

    private final func loadedState(of relationship: RelationshipLayout, at slot: Int) -> ToManyState? {
        if case .collection(let state)? = overlay?.slots[slot], state.isLoaded { return state }
        guard row >= 0, state != .detached,
            group?.links(of: key, slot: slot, epoch: graph.epoch(of: relationship)) != nil
        else { return nil }
        // The rows of the members have been fetched, so this only makes the objects.
        let prefetched = graph.loadedCollection(of: self, slot: slot)
        return prefetched.isLoaded ? prefetched : nil
    }
}
