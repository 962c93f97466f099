/// An object on its way from an older version to a newer one: what it was, and what it becomes.
public struct MigratingObject: Sendable {
    /// What it becomes: the attributes that were given a value, by their newer names.
    public private(set) var new: [String: StoredValue] = [:]
    /// The same of relationships: the keys of what they lead to.
    public private(set) var newKeys: [String: [Int64]] = [:]
    private let older: OlderObject
    /// What the relationships led to that the stage reads.
    private let members: [String: [OlderObject]]

    package init(_ older: OlderObject, related members: [String: [OlderObject]] = [:]) {
        self.older = older
        self.members = members
    }

    /// The key of its identifier.
    public var key: Int64 { older.key }
    /// Its entity in the older model.
    public var entityName: String { older.entityName }
    /// What it was: attributes and the keys of to-one relationships, by their older names.
    public var old: [String: StoredValue] { older.values }

    /// What an attribute becomes; before it was given a value, what the attribute of that name was.
    public subscript(name: String) -> StoredValue {
        get { new[name] ?? older[name] }
        set { new[name] = newValue }
    }

    /// The keys of the objects that a relationship comes to lead to, in their order where it has one; at most one where it is to-one.
    ///
    /// Before it was given any, those of the objects that the relationship of that name led to. Objects keep their keys, so these are
    /// those of older objects. The relationship's inverse follows.
    public subscript(keys name: String) -> [Int64] {
        get {
            if let keys = newKeys[name] ?? members[name]?.map(\.key) { return keys }
            if case .int(let key)? = older.values[name] { return [key] }
            return []
        }
        set { newKeys[name] = newValue }
    }

    /// The objects that a relationship led to, one or many: in their order where it had one, and else in that of their keys.
    ///
    /// - Parameter name: Its older name.
    /// - Throws: ``StoreError/Code/unknownProperty`` where the stage hasn't said that it reads the relationship.
    public func related(_ name: String) throws(StoreError) -> [OlderObject] {
        if let members = members[name] { return members }
        throw StoreError(
            .unknownProperty, "The stage asks what \(entityName).\(name) led to, and doesn't read it.",
            remedy: "Name the relationship in the stage's “reading:”.")
    }

    /// The text that an attribute was; empty where it was none.
    public func text(_ name: String) -> String { older.text(name) }
}
