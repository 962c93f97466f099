/// Says what one table holds, and how much room it takes.
public struct TableFacts: Sendable, Hashable {
    /// What a table is there for.
    public enum Role: Sendable, Hashable {
        /// The objects of an inheritance tree, by the name of its uppermost entity.
        case objects(entityName: String)
        /// The links of a many-to-many relationship.
        case links
        /// The large values of an attribute that lie outside of their rows, by the name of the uppermost entity of the tree.
        case values(entityName: String)
        /// What a store keeps for itself.
        case store
        /// Nothing of a store's.
        case other
    }

    /// One index of a table.
    public struct Index: Sendable, Hashable {
        /// What it is called.
        public let name: String
        /// What is indexed, in the database's own words.
        public let definition: String
        /// Whether it keeps values unique.
        public let isUnique: Bool
        /// How many bytes it takes; nil where that can't be told.
        public let bytes: Int64?

        /// Describes an index.
        public init(name: String, definition: String, isUnique: Bool, bytes: Int64?) {
            self.name = name
            self.definition = definition
            self.isUnique = isUnique
            self.bytes = bytes
        }
    }

    /// What the table is called.
    public var name: String
    /// What it is there for.
    public var role: Role
    /// How many bytes its rows take; nil where that can't be told.
    public var bytes: Int64?
    /// Its indexes, in order of their names.
    public var indexes: [Index]

    /// Describes a table.
    public init(name: String, role: Role, bytes: Int64?, indexes: [Index]) {
        self.name = name
        self.role = role
        self.bytes = bytes
        self.indexes = indexes
    }
}
