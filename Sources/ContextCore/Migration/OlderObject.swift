/// An object as the older version of the model knows it: a value that stages look at.
public struct OlderObject: Sendable {
    /// The key of its identifier, which it keeps.
    public let key: Int64
    /// Its entity in the older model.
    public let entityName: String
    /// Its attributes and the keys of its to-one relationships, by their older names.
    public let values: [String: StoredValue]

    package init(key: Int64, entityName: String, values: [String: StoredValue]) {
        self.key = key
        self.entityName = entityName
        self.values = values
    }

    /// The value of an attribute, or the key that a to-one relationship leads to.
    public subscript(name: String) -> StoredValue { values[name] ?? .null }

    /// The text of an attribute; empty where there is none.
    public func text(_ name: String) -> String {
        if case .string(let text)? = values[name] { text } else { "" }
    }
}
