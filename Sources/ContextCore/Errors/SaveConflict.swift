/// An object that a save didn't write because the store's state contradicts it.
public struct SaveConflict: Sendable, CustomStringConvertible {
    /// The kind of a conflict.
    public enum Kind: Sendable, Hashable {
        /// Another save changed the object after this context had fetched it.
        case changed
        /// Another save deleted the object after this context had fetched it.
        case deleted
        /// Another object, saved or pending, has the same values in a unique constraint.
        case duplicate(properties: [String], other: ObjectID)
        /// The property refers to an object that doesn't exist.
        case missingReference(property: String)
        /// The property has the delete rule ``DeleteRule/deny`` and still refers to an object.
        case denied(property: String)
    }

    /// One property of a conflict, with its three values.
    ///
    /// If the value has external storage (see ``AttributeOption/externalStorage(over:)``), the context neither changed nor read it, and the
    /// store has a newer value, then the fetched value is unavailable: ``base`` and ``mine`` are null.
    public struct Property: Sendable {
        /// The name of the property.
        public let name: String
        /// The value that the context fetched.
        public let base: StoredValue
        /// The value in the context that saves.
        public let mine: StoredValue
        /// The value in the store.
        public let theirs: StoredValue

        /// Whether the store's value differs from the fetched one.
        ///
        /// A value that is null here and in the context may be unavailable, and is listed only if the store has replaced it.
        fileprivate var isChangedInStore: Bool { base != theirs || base == mine }
    }

    /// The object that could not be saved.
    public let objectID: ObjectID
    /// The entity of the object.
    public let entityName: String
    /// The kind of conflict.
    public let kind: Kind
    /// The properties that changed in the context, in the store or in both.
    ///
    /// Empty unless the kind is ``Kind/changed``.
    public let properties: [Property]

    /// A sentence that names the object and the conflict, without attribute values.
    public var description: String {
        switch kind {
        case .changed: "\(object) was changed by another save\(changedNames)."
        case .deleted: "\(object) was deleted by another save."
        case .duplicate(let names, let other):
            "\(object) has the same \(names.joined(separator: ", ")) as \(other)."
        case .missingReference(let property):
            "\(object) refers by \(property) to an object that doesn't exist."
        case .denied(let property):
            "\(object) can't be deleted: an object still refers to it (\(property))."
        }
    }

    /// The object's identifier, which contains the root entity's name; preceded by the entity's own name if that differs.
    private var object: String {
        entityName == objectID.entityName ? "\(objectID)" : "\(entityName) \(objectID)"
    }

    /// The names of the properties that the other save changed, in parentheses; empty if their values are equal again.
    private var changedNames: String {
        let names = properties.filter(\.isChangedInStore).map(\.name)
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }
}
