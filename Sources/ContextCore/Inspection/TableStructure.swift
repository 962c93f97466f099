/// Says how one table is made, whoever made it.
///
/// It is what a model is worked out from where another program's database is to become a store.
public struct TableStructure: Sendable, Hashable {
    /// One column of a table.
    public struct Column: Sendable, Hashable {
        /// What it is called.
        public var name: String
        /// Its type, in the database's own words.
        public var declaredType: String
        /// What an attribute of a model would be to hold its values; nil where no attribute can.
        public var type: AttributeType?
        /// Whether it may have no value.
        public var isOptional: Bool
        /// Whether it has a default, or is computed by the database.
        public var isFilled: Bool

        /// Describes a column.
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

    /// Columns whose values are those of another table's row.
    public struct Reference: Sendable, Hashable {
        /// The columns of this table.
        public var columns: [String]
        /// The other table.
        public var table: String
        /// What becomes of this table's rows when the other's row is deleted.
        public var deleteRule: DeleteRule

        /// Describes a reference.
        public init(_ columns: [String], to table: String, deleteRule: DeleteRule = .deny) {
            self.columns = columns
            self.table = table
            self.deleteRule = deleteRule
        }
    }

    /// What the table is called.
    public var name: String
    /// Its columns, in their order.
    public var columns: [Column]
    /// The columns by which its rows are known; empty where there are none.
    public var primaryKey: [String]
    /// What is unique besides, column by column.
    public var uniqueColumns: [[String]]
    /// The columns of its other indexes.
    public var indexedColumns: [[String]]
    /// What it refers to.
    public var references: [Reference]
    /// The names of its indexes over expressions, or over some of its rows only.
    public var partialIndexes: [String] = []
    /// Whether it is a view, of which only the name is told.
    public var isView = false

    /// Describes a table.
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
