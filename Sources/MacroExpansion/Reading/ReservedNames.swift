/// The names that properties and parts can't have.
enum ReservedNames {
    /// The names that properties of entities can't have: properties of `ManagedObject`, and reserved words of Swift.
    ///
    /// `ContextCore` checks models with the same list.
    static let properties: Set<String> = [
        "changedPropertyNames", "changedValues", "context", "debugDescription", "entityLayout", "hasChanges",
        "hashValue", "init", "isDeleted", "isFault", "isInserted", "isUpdated", "objectID", "objectState",
        "predicateExpression", "self", "Type",
    ]

    /// The names that parts of a composite can't have: the instance requirement of `CompositeValue`, and reserved words of Swift.
    static let parts: Set<String> = ["init", "self", "storedValue", "Type"]

    /// Whether a name is valid in Swift and SQL: ASCII letters, digits and underscores, without a leading underscore.
    static func isValid(_ name: String) -> Bool {
        !name.hasPrefix("_") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
