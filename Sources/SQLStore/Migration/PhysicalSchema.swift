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
