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
        /// The expression of the default; nil if there is none, or if it is unknown.
        package var defaultExpression: String?
        /// The expression by which the database computes the values; nil if it doesn't, or if it is unknown.
        package var generationExpression: String?
        /// Whether ``type`` has an assumed number of fractional digits, because the database declares none, or too many.
        package var assumesScale = false
        /// What makes texts that differ equal in comparisons, as SQL writes it: `COLLATE NOCASE`, or the type `citext`; nil if only the same
        /// text is equal.
        package var looseComparison: String?
        /// Whether the values are arrays, which become JSON.
        package var isArray = false
        /// Whether the values are days, so that the database drops the time of day of a default.
        package var hasOnlyDays = false
        /// The comment that the database keeps with the column.
        package var comment: String?

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
        /// The referenced columns, in the order of ``columns``; empty for the primary key.
        public var referencedColumns: [String]

        /// Creates a description.
        public init(
            _ columns: [String], to table: String, deleteRule: DeleteRule = .deny,
            referencedColumns: [String] = []
        ) {
            self.columns = columns
            self.table = table
            self.deleteRule = deleteRule
            self.referencedColumns = referencedColumns
        }
    }

    /// A condition that each row satisfies: a check constraint, or a restriction by the type of a column.
    package struct Check: Sendable, Hashable {
        package let expression: String
        /// The column that a domain calls `VALUE`; nil for a condition of the table.
        package let column: String?
        /// The text that declares the condition.
        package let statement: String
        /// Whether the database guarantees that all rows satisfy it.
        package let isEnforced: Bool
        /// Whether it is about each element of the arrays in the column, and not about the arrays.
        package let isOfElements: Bool

        package init(
            _ expression: String, column: String? = nil, statement: String, isEnforced: Bool,
            isOfElements: Bool = false
        ) {
            self.expression = expression
            self.column = column
            self.statement = statement
            self.isEnforced = isEnforced
            self.isOfElements = isOfElements
        }
    }

    /// An index that is more than a list of columns.
    package struct Index: Sendable, Hashable {
        package struct Element: Sendable, Hashable {
            package let column: String
            package let isDescending: Bool

            package init(_ column: String, isDescending: Bool) {
                self.column = column
                self.isDescending = isDescending
            }
        }

        package let name: String
        /// The columns; empty if the index has expressions, or if it doesn't sort.
        package let elements: [Element]
        /// The condition of a partial index.
        package let predicate: String?
        package let isUnique: Bool
        package let statement: String

        package init(
            _ name: String, _ elements: [Element], predicate: String?, isUnique: Bool, statement: String
        ) {
            self.name = name
            self.elements = elements
            self.predicate = predicate
            self.isUnique = isUnique
            self.statement = statement
        }
    }

    /// A key, a unique constraint or an index in which texts that differ may be equal.
    package struct LooseIndex: Sendable, Hashable {
        package let columns: [String]
        package let isUnique: Bool
        /// What makes the texts equal, as SQL writes it: `COLLATE NOCASE`.
        package let comparison: String
        package let statement: String

        package init(_ columns: [String], isUnique: Bool, comparison: String, statement: String) {
            self.columns = columns
            self.isUnique = isUnique
            self.comparison = comparison
            self.statement = statement
        }
    }

    /// A part of a table that no model has: a trigger, or an exclusion constraint.
    package struct Extra: Sendable, Hashable {
        package enum Kind: Sendable { case trigger, exclusion }

        package let kind: Kind
        package let name: String
        package let statement: String

        package init(_ kind: Kind, _ name: String, statement: String) {
            self.kind = kind
            self.name = name
            self.statement = statement
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
    /// The other indexes: partial ones, those on expressions, and those in descending order.
    package var indexes: [Index] = []
    /// The keys and indexes in which texts that differ may be equal; they are also among the others.
    package var looseIndexes: [LooseIndex] = []
    /// The conditions that each row satisfies.
    package var checks: [Check] = []
    /// The triggers, and the constraints that are neither keys nor conditions.
    package var extras: [Extra] = []
    /// The comment that the database keeps with the table.
    package var comment: String?
    /// The statement that creates a view, a virtual table or a foreign table; nil for other tables.
    package var definition: String?
    /// Whether it is a view, which is described only by its name.
    public var isView = false
    /// Whether it is a virtual table of SQLite, which is described only by its name.
    public var isVirtual = false
    /// Whether it is a foreign table of PostgreSQL, whose rows are on another server, and which is described only by its name.
    package var isForeign = false
    /// Whether it is a partitioned table, whose rows are those of its partitions.
    public var isPartitioned = false

    /// Whether it is an ordinary table, whose columns and keys are described.
    package var hasRows: Bool { !isView && !isVirtual && !isForeign }

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
