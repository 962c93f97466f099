/// The structure of a table or view of a database, which need not be a store.
///
/// `storectl` uses it to create a model for an existing database.
public struct TableStructure: Sendable, Hashable {
    /// One column of a table.
    public struct Column: Sendable, Hashable {
        /// The name of the column.
        public var name: String
        /// The type in the database's language.
        public var declaredType: String
        /// The attribute type that can represent the values; nil if there is none.
        public var type: AttributeType?
        /// Whether the column may be null.
        public var isOptional: Bool
        /// Whether the column has a default, or is computed by the database.
        public var isFilled: Bool

        /// Creates a description.
        public init(
            _ name: String, _ declaredType: String, _ type: AttributeType?, isOptional: Bool = false,
            isFilled: Bool = false
        ) {
            self.name = name
            self.declaredType = declaredType
            self.type = type
            self.isOptional = isOptional
            self.isFilled = isFilled
        }
    }

    /// A foreign key.
    public struct Reference: Sendable, Hashable {
        /// The columns of the foreign key.
        public var columns: [String]
        /// The referenced table.
        public var table: String
        /// What happens to the rows of this table when the referenced row is deleted.
        public var deleteRule: DeleteRule

        /// Creates a description.
        public init(_ columns: [String], to table: String, deleteRule: DeleteRule = .deny) {
            self.columns = columns
            self.table = table
            self.deleteRule = deleteRule
        }
    }

    /// The name of the table.
    public var name: String
    /// The columns, in order.
    public var columns: [Column]
    /// The columns of the primary key; empty if there is none.
    public var primaryKey: [String]
    /// The columns of each unique constraint except the primary key.
    public var uniqueColumns: [[String]]
    /// The columns of each index that isn't unique.
    public var indexedColumns: [[String]]
    /// The foreign keys.
    public var references: [Reference]
    /// The names of partial indexes and of indexes on expressions.
    public var partialIndexes: [String] = []
    /// Whether it is a view, which is described only by its name.
    public var isView = false

    /// Creates a description.
    public init(
        _ name: String, columns: [Column], primaryKey: [String] = [], uniqueColumns: [[String]] = [],
        indexedColumns: [[String]] = [], references: [Reference] = []
    ) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
        self.uniqueColumns = uniqueColumns
        self.indexedColumns = indexedColumns
        self.references = references
    }
}
