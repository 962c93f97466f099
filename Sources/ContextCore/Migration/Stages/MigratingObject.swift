/// An object during a migration: its values in the older version, and its new values.
public struct MigratingObject: Sendable {
    /// The new values of attributes that were assigned, by their newer names.
    public private(set) var new: [String: StoredValue] = [:]
    /// The keys of the objects that were assigned to relationships, by their newer names.
    public private(set) var newKeys: [String: [Int64]] = [:]
    private let older: OlderObject
    /// The related objects of the relationships that the stage reads.
    private let members: [String: [OlderObject]]

    package init(_ older: OlderObject, related members: [String: [OlderObject]] = [:]) {
        self.older = older
        self.members = members
    }

    /// The key of the object's identifier.
    public var key: Int64 { older.key }
    /// The name of its entity in the older model.
    public var entityName: String { older.entityName }
    /// The older values of attributes, and the keys of to-one relationships, by their older names.
    public var old: [String: StoredValue] { older.values }

    /// The new value of an attribute; until it is assigned, the older value of the attribute of that name.
    public subscript(name: String) -> StoredValue {
        get { new[name] ?? older[name] }
        set { new[name] = newValue }
    }

    /// The keys of the objects to which a relationship refers, in order if it is ordered; at most one if it is to-one.
    ///
    /// Until they are assigned, these are the keys of the older relationship of that name. Objects keep their keys in a migration, so
    /// assign keys of older objects. The inverse is set too.
    public subscript(keys name: String) -> [Int64] {
        get {
            if let keys = newKeys[name] ?? members[name]?.map(\.key) { return keys }
            if case .int(let key)? = older.values[name] { return [key] }
            return []
        }
        set { newKeys[name] = newValue }
    }

    /// Returns the objects to which a relationship referred, one or many: in order if it was ordered, otherwise by key.
    ///
    /// - Parameter name: The older name of the relationship.
    /// - Throws: ``StoreError/Code/unknownProperty`` if the relationship isn't in the stage's `reading` list.
    public func related(_ name: String) throws(StoreError) -> [OlderObject] {
        if let members = members[name] { return members }
        throw StoreError(
            .unknownProperty,
            "The stage uses \(entityName).\(name), but its reading list doesn't contain the relationship.",
            remedy: "Add the relationship to the stage's “reading:”.")
    }

    /// Returns the older text of an attribute; an empty string if it isn't text.
    public func text(_ name: String) -> String { older.text(name) }
}
