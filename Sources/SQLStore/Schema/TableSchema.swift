/// The definition of a table.
package struct TableSchema: Hashable, Sendable {
    package var name: String
    package var columns: [ColumnSchema]
    /// The columns of a composite primary key; empty if a single column is the primary key.
    package var primaryKey: [String] = []
    package var indexes: [IndexSchema] = []

    package init(_ name: String, columns: [ColumnSchema], primaryKey: [String] = []) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
    }

    /// The table without foreign keys, for databases in which the referenced table must exist.
    package var withoutReferences: TableSchema {
        var table = self
        for index in table.columns.indices { table.columns[index].reference = nil }
        return table
    }
}

/// A column of a table.
package struct ColumnSchema: Hashable, Sendable {
    /// A foreign key of a column.
    package struct Reference: Hashable, Sendable {
        package var table: String
        package var column: String
        /// Whether the row is deleted with the row that it refers to.
        package var cascades: Bool
        /// Whether the reference is set to null when the row that it refers to is deleted.
        package var clears = false
    }

    package var name: String
    package var type: SQLType
    package var isNullable: Bool
    package var isPrimaryKey = false
    package var reference: Reference?

    package init(
        _ name: String, _ type: SQLType, isNullable: Bool = false, isPrimaryKey: Bool = false,
        reference: Reference? = nil
    ) {
        self.name = name
        self.type = type
        self.isNullable = isNullable
        self.isPrimaryKey = isPrimaryKey
        self.reference = reference
    }
}
