/// One rule of the model that an object violates.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The object that violates the rule; nil if a value was checked without an object.
    public var objectID: ObjectID?
    /// The name of the object's entity.
    public var entityName: String
    /// The property that the rule applies to; nil for a rule of the whole object.
    public var property: String?
    /// The rule, as the end of a sentence that starts with the property: "must have at most 80 characters".
    public var rule: String
    /// The size that was found instead, such as "90 characters" or "2 objects"; nil if the rule is about something else.
    ///
    /// It never contains the value.
    public var valueKind: String?
    /// What the description says about the object instead of the property and the rule; for a deletion that is denied.
    var objectStatement: String?

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

    /// A sentence that names the object, the property and the rule, such as "Member/2: rating must be at most 3500.".
    public var description: String {
        let object =
            objectID.map { $0.entityName == entityName ? "\($0)" : "\(entityName) \($0)" } ?? entityName
        if let objectStatement { return "\(object) \(objectStatement)." }
        let subject = property.map { "\(object): \($0)" } ?? "\(object):"
        let text = "\(subject) \(statement)"
        return text.hasSuffix(".") ? text : text + "."
    }

    /// The end of the sentence, after the object and the property: "must be at most 3500".
    package var statement: String {
        objectStatement ?? rule + (valueKind.map { ", not \($0)" } ?? "")
    }
}
