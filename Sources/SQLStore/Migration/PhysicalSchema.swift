/// The tables of a database, in the words in which it tells of them itself: two that are alike have the same.
package struct PhysicalSchema: Hashable, Sendable {
    /// One table.
    package struct Table: Hashable, Sendable {
        /// What each column is: its type, and whether it must have a value.
        package var columns: [String: String] = [:]
        /// Keys and references, whatever they are called.
        package var constraints: Set<String> = []
        /// What each index is of.
        package var indexes: [String: String] = [:]

        package init() {}
    }

    /// The tables by their names.
    package var tables: [String: Table]

    package init(tables: [String: Table] = [:]) {
        self.tables = tables
    }

    /// The statements that make tables of which some may refer to others that come later.
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
                        ALTER TABLE \(name: table.name) ADD FOREIGN KEY (\(name: column.name)) \
                        \(schema.reference(reference))
                        """, dialect)
                }
            }
        }
        return (made + references).map(\.sql)
    }
}
