/// One object that could not be saved because of what others did.
public struct SaveConflict: Sendable, CustomStringConvertible {
    /// What was in the way.
    public enum Kind: Sendable, Hashable {
        /// The object was saved elsewhere in between.
        case changed
        /// The object was deleted elsewhere in between.
        case deleted
        /// Another object, saved or pending, has the same values of a unique constraint.
        case duplicate(properties: [String], other: ObjectID)
        /// What the property refers to is not there.
        case missingReference(property: String)
        /// The property's delete rule denies the deletion as long as it leads anywhere.
        case denied(property: String)
    }

    /// One property that both sides have a word in.
    ///
    /// A value that lies outside of its row (see ``AttributeOption/externalStorage(over:)``), that the context has neither changed nor read,
    /// and that was replaced in the store is lost: ``base`` and ``mine`` are null then.
    public struct Property: Sendable {
        /// The property's name.
        public let name: String
        /// Its value when the object was fetched.
        public let base: StoredValue
        /// Its value in the context that saves.
        public let mine: StoredValue
        /// Its value in the store.
        public let theirs: StoredValue
    }

    /// The object that could not be saved.
    public let objectID: ObjectID
    /// The entity of the object.
    public let entityName: String
    /// What was in the way.
    public let kind: Kind
    /// The properties that were changed here, there or both, with their three values.
    ///
    /// Empty unless the kind is ``Kind/changed``.
    public let properties: [Property]

    /// Says what happened, without any value.
    public var description: String {
        switch kind {
        case .changed: "\(entityName) \(objectID) was changed by somebody else (\(changedNames))."
        case .deleted: "\(entityName) \(objectID) was deleted by somebody else."
        case .duplicate(let names, let other):
            "\(entityName) \(objectID) has the same \(names.joined(separator: ", ")) as \(other)."
        case .missingReference(let property):
            "What \(entityName) \(objectID) refers to by \(property) is not there."
        case .denied(let property):
            "\(entityName) \(objectID) can't be deleted as long as its \(property) leads anywhere."
        }
    }

    private var changedNames: String { properties.map(\.name).joined(separator: ", ") }
}
