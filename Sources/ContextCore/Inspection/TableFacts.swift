/// The purpose and the size of one table.
public struct TableFacts: Sendable, Hashable {
    /// The purpose of a table.
    public enum Role: Sendable, Hashable {
        /// The objects of an inheritance tree, with the name of its root entity.
        case objects(entityName: String)
        /// The links of a many-to-many relationship.
        case links
        /// The values of an attribute with external storage, with the name of the root entity of the tree.
        case values(entityName: String)
        /// The store's metadata.
        case store
        /// A table that isn't part of the store.
        case other
    }

    /// One index of a table.
    public struct Index: Sendable, Hashable {
        /// The name of the index.
        public let name: String
        /// The indexed columns or expressions, in the database's language.
        public let definition: String
        /// Whether the index is unique.
        public let isUnique: Bool
        /// The size of the index in bytes; nil if it is unknown.
        public let bytes: Int64?

        /// Creates a description.
        public init(name: String, definition: String, isUnique: Bool, bytes: Int64?) {
            self.name = name
            self.definition = definition
            self.isUnique = isUnique
            self.bytes = bytes
        }
    }

    /// The name of the table.
    public var name: String
    /// The purpose of the table.
    public var role: Role
    /// The size of the rows in bytes; nil if it is unknown.
    public var bytes: Int64?
    /// The indexes, sorted by name.
    public var indexes: [Index]

    /// Creates a description.
    public init(name: String, role: Role, bytes: Int64?, indexes: [Index]) {
        self.name = name
        self.role = role
        self.bytes = bytes
        self.indexes = indexes
    }
}
