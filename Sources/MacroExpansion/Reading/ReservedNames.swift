/// Names that no property of an entity can have.
enum ReservedNames {
    /// Properties of `ManagedObject`, and words that Swift keeps: the list that `ContextCore` checks models by.
    static let properties: Set<String> = [
        "changedPropertyNames", "changedValues", "context", "debugDescription", "entityLayout", "hasChanges",
        "hashValue", "init", "isDeleted", "isFault", "isInserted", "isUpdated", "objectID", "objectState",
        "predicateExpression", "self", "Type",
    ]

    /// Names that no part of a composite can have: the requirement of `CompositeValue` that instances meet, and words that
    /// Swift keeps.
    static let parts: Set<String> = ["init", "self", "storedValue", "Type"]

    /// Whether a name is one that Swift and SQL share: ASCII letters, digits and underscores, with no underscore first.
    static func isShared(_ name: String) -> Bool {
        !name.hasPrefix("_") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
