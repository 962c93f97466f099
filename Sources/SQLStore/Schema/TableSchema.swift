/// A table, as a value.
package struct TableSchema: Hashable, Sendable {
    package var name: String
    package var columns: [ColumnSchema]
    /// The columns of a primary key of several columns; empty where one column says that it is the key.
    package var primaryKey: [String] = []
    package var indexes: [IndexSchema] = []

    package init(_ name: String, columns: [ColumnSchema], primaryKey: [String] = []) {
        self.name = name
        self.columns = columns
        self.primaryKey = primaryKey
    }

    /// The table without its references, for databases in which a table can't refer to one that isn't there yet.
    package var withoutReferences: TableSchema {
        var table = self
        for index in table.columns.indices { table.columns[index].reference = nil }
        return table
    }
}

/// A column of a table.
package struct ColumnSchema: Hashable, Sendable {
    /// What a column refers to.
    package struct Reference: Hashable, Sendable {
        package var table: String
        package var column: String
        /// Whether the row goes with the row that it refers to.
        package var cascades: Bool
        /// Whether the reference is emptied when the row that it refers to goes.
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
