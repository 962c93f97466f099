/// The names that a model can't use, because classes, stores or Swift use them.
package enum ReservedNames {
    /// The members of ``ManagedObject``, which a class can't declare again, and words that Swift reserves.
    static let properties: Set<String> = [
        "changedPropertyNames", "changedValues", "context", "debugDescription", "entityLayout", "hasChanges",
        "hashValue", "init", "isDeleted", "isFault", "isInserted", "isUpdated", "objectID", "objectState",
        "predicateExpression", "self", "Type",
    ]

    /// The names of classes that can't be entities.
    static let entities: Set<String> = ["ManagedObject", "Self", "Type"]

    /// Whether a name is reserved, as the name of an entity or of a property.
    package static func isReserved(_ name: String) -> Bool {
        properties.contains(name) || entities.contains(name)
    }

    /// The prefixes, in any case, that entity names can't have, because databases use them for tables of their own.
    static let entityPrefixes = ["sqlite_", "pg_"]

    /// Whether an entity can't have the name because its table would have a prefix that databases reserve.
    package static func isReservedForTables(_ name: String) -> Bool {
        entityPrefixes.contains(where: SnakeCase.name(name).hasPrefix)
    }

    /// The maximum length of a name in bytes; PostgreSQL truncates longer ones.
    ///
    /// "The system uses no more than NAMEDATALEN-1 bytes of an identifier … 63 bytes"
    /// (https://www.postgresql.org/docs/current/sql-syntax-lexical.html).
    static let maximumLength = 63
}
