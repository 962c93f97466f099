/// An object in the older version of the model, as a value that stages read.
public struct OlderObject: Sendable {
    /// The key of its identifier, which stays the same.
    public let key: Int64
    /// The name of its entity in the older model.
    public let entityName: String
    /// Its attributes and the keys of its to-one relationships, by their older names.
    public let values: [String: StoredValue]

    package init(key: Int64, entityName: String, values: [String: StoredValue]) {
        self.key = key
        self.entityName = entityName
        self.values = values
    }

    /// The value of an attribute, or the key of the object to which a to-one relationship refers.
    public subscript(name: String) -> StoredValue { values[name] ?? .null }

    /// Returns the text of an attribute; an empty string if it isn't text.
    public func text(_ name: String) -> String {
        if case .string(let text)? = values[name] { text } else { "" }
    }
}
