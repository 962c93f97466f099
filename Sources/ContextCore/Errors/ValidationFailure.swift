/// One rule of the model that an object violates.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The object that violates the rule; nil if a value was checked without an object.
    public var objectID: ObjectID?
    /// The name of the object's entity.
    public var entityName: String
    /// The property that the rule applies to; nil for a rule of the whole object.
    public var property: String?
    /// The rule in a few words, such as "required" or "at most 80 characters".
    public var rule: String
    /// The kind of value that was found, such as "text of 90 characters".
    ///
    /// It never contains the value.
    public var valueKind: String?

    /// Creates a failure.
    public init(
        objectID: ObjectID? = nil, entityName: String, property: String? = nil, rule: String,
        valueKind: String? = nil
    ) {
        self.objectID = objectID
        self.entityName = entityName
        self.property = property
        self.rule = rule
        self.valueKind = valueKind
    }

    /// A sentence that names the object, the property and the rule.
    public var description: String {
        let object =
            objectID.map { $0.entityName == entityName ? "\($0)" : "\(entityName) \($0)" } ?? entityName
        let subject = property.map { "\(object), property \($0)" } ?? object
        return "\(subject): \(rule)" + (valueKind.map { ", but there is \($0)." } ?? ".")
    }
}
