/// The names that a model may not use, because classes or stores use them themselves.
package enum ReservedNames {
    /// Properties of ``ManagedObject``, which a class can't declare again, and words that Swift keeps.
    static let properties: Set<String> = [
        "changedPropertyNames", "changedValues", "context", "debugDescription", "entityLayout", "hasChanges",
        "hashValue", "init", "isDeleted", "isFault", "isInserted", "isUpdated", "objectID", "objectState",
        "predicateExpression", "self", "Type",
    ]

    /// Classes that are no entities.
    static let entities: Set<String> = ["ManagedObject", "Self", "Type"]

    /// Whether neither an entity nor a property may have a name.
    package static func isReserved(_ name: String) -> Bool {
        properties.contains(name) || entities.contains(name)
    }

    /// How names of entities may not begin, in any case: stores keep tables of their own so named.
    static let entityPrefixes = ["sqlite_", "pg_"]

    /// Whether an entity may not have a name, since its table would be named like those that databases keep for themselves.
    package static func isReservedForTables(_ name: String) -> Bool {
        entityPrefixes.contains(where: SnakeCase.name(name).hasPrefix)
    }

    /// The most bytes of a name that PostgreSQL doesn't cut off.
    ///
    /// "The system uses no more than NAMEDATALEN-1 bytes of an identifier … 63 bytes"
    /// (https://www.postgresql.org/docs/current/sql-syntax-lexical.html).
    static let maximumLength = 63
}
