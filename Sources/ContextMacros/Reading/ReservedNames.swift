/// Names that no property of an entity can have, because `ManagedObject` has members of those names.
enum ReservedNames {
    static let all: Set<String> = [
        "changedValues", "committedValues", "context", "entity", "hasChanges", "hashValue", "isDeleted",
        "isFault",
        "isInserted", "isUpdated", "objectID", "state",
    ]
}
