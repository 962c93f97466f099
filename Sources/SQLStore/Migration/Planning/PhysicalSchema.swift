/// The tables of a database as the database describes them; equal tables have equal descriptions.
package struct PhysicalSchema: Hashable, Sendable {
    /// One table.
    package struct Table: Hashable, Sendable {
        /// The type of each column, and whether it is NOT NULL.
        package var columns: [String: String] = [:]
        /// Keys and foreign keys, without their names.
        package var constraints: Set<String> = []
        /// The definition of each index.
        package var indexes: [String: String] = [:]

        package init() {}
    }

    /// The tables by their names.
    package var tables: [String: Table]

    package init(tables: [String: Table] = [:]) {
        self.tables = tables
    }

    /// Creates a schema from rows that begin with the name of a table; rows of other tables are ignored.
    ///
    /// - Parameters:
    ///   - names: The names of the tables, which may be repeated.
    ///   - columns: The name and the description of each column.
    ///   - constraints: The description of each constraint.
    ///   - indexes: The name and the description of each index.
    package init(
        _ names: [String], columns: [[String]], constraints: [[String]], indexes: [[String]]
    ) {
        tables = Dictionary(names.map { ($0, Table()) }) { first, _ in first }
        for row in columns { tables[row[0]]?.columns[row[1]] = row[2] }
        for row in constraints { tables[row[0]]?.constraints.insert(row[1]) }
        for row in indexes { tables[row[0]]?.indexes[row[1]] = row[2] }
    }

    /// Returns the statements that create tables, with foreign keys last because tables may refer to later ones and to each other.
    package static func creation(of tables: [TableSchema], _ dialect: SQLDialect) -> [String] {
        let schema = SchemaStatements(dialect)
        let made = tables.flatMap { table in
            [SQLText(schema.table(table.withoutReferences), dialect)] + schema.indexes(of: table)
        }
        let references = tables.flatMap { table in
            table.columns.compactMap { column in
                column.reference.map { reference in
                    SQLText(
                        """
                        ALTER TABLE \(stored: table.name) ADD FOREIGN KEY (\(name: column.name)) \
                        \(schema.reference(reference))
                        """, dialect)
                }
            }
        }
        return (made + references).map(\.sql)
    }
}
