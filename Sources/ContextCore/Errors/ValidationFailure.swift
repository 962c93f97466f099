/// One rule of the model that one object breaks.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The object that breaks it; nil where a value was checked by itself.
    public var objectID: ObjectID?
    /// The entity of the object.
    public var entityName: String
    /// The property that the rule is about; nil for a rule of the whole object.
    public var property: String?
    /// The rule, in a few words: "required", "at most 80 characters".
    public var rule: String
    /// What kind of value there was, such as "text of 90 characters".
    ///
    /// Never the value.
    public var valueKind: String?

    /// Describes a failure.
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

    /// Names object, property and rule.
    public var description: String {
        let object = objectID.map { "\(entityName) \($0)" } ?? entityName
        let subject = property.map { "\(object), property \($0)" } ?? object
        return "\(subject): \(rule)" + (valueKind.map { ", but there is \($0)." } ?? ".")
    }
}
