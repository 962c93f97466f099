/// Renders CREATE TABLE and CREATE INDEX statements.
package struct SchemaStatements {
    private let dialect: SQLDialect

    package init(_ dialect: SQLDialect) {
        self.dialect = dialect
    }

    /// Returns the statements that create a table and its indexes.
    package func creation(of table: TableSchema) -> [SQLText] {
        [SQLText(self.table(table), dialect)] + indexes(of: table)
    }

    /// Returns the statements that create a table's indexes.
    func indexes(of table: TableSchema) -> [SQLText] {
        table.indexes.map { SQLText(index($0, of: table.name), dialect) }
    }

    /// Renders CREATE TABLE.
    ///
    /// ```sql
    /// CREATE TABLE "game" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "title" TEXT NOT NULL) STRICT
    /// ```
    func table(_ table: TableSchema) -> SQLFragment {
        var parts = table.columns.map { column($0) }
        if !table.primaryKey.isEmpty {
            parts.append("PRIMARY KEY (\(table.primaryKey.map { "\(name: $0)" as SQLFragment }.joined()))")
        }
        let suffix = table.primaryKey.isEmpty ? dialect.tableSuffix : dialect.linkTableSuffix
        return "CREATE TABLE \(stored: table.name) (\(parts.joined()))\(suffix)"
    }

    /// Renders a column definition.
    ///
    /// - Parameter source: The value of existing rows.
    func column(_ column: ColumnSchema, _ source: ColumnSource? = nil) -> SQLFragment {
        var sql: SQLFragment = "\(name: column.name) \(dialect.columnType(column.type))"
        if column.isPrimaryKey { sql.append(" PRIMARY KEY") }
        if !column.isNullable && !column.isPrimaryKey { sql.append(" NOT NULL") }
        if case .constant(let value)? = source { sql.append(" DEFAULT \(value)") }
        if let reference = column.reference {
            sql.append(" \(self.reference(reference))")
        }
        return sql
    }

    /// Renders a REFERENCES clause.
    package func reference(_ reference: ColumnSchema.Reference) -> SQLFragment {
        var sql: SQLFragment = "REFERENCES \(stored: reference.table) (\(name: reference.column))"
        if reference.cascades { sql.append(" ON DELETE CASCADE") }
        if reference.clears { sql.append(" ON DELETE SET NULL") }
        sql.append(" \(dialect.deferral)")
        return sql
    }

    /// Renders CREATE INDEX.
    ///
    /// - Parameter isConcurrent: Whether writers can continue meanwhile; the statement can't run in a transaction then.
    func index(_ index: IndexSchema, of table: String, isConcurrent: Bool = false) -> SQLFragment {
        let columns = index.columns.map { column -> SQLFragment in
            column.isDescending ? "\(name: column.name) DESC" : "\(name: column.name)"
        }
        var sql: SQLFragment = index.isUnique ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
        if isConcurrent { sql.append("CONCURRENTLY ") }
        sql.append("\(name: index.name) ON \(stored: table) (\(columns.joined()))")
        let conditions = conditions(of: index)
        if !conditions.isEmpty { sql.append(" WHERE \(conditions.joined(by: " AND "))") }
        return sql
    }

    /// Returns the conditions of a partial index.
    ///
    /// A predicate with a value that has no literal is omitted: the index then has more rows, and queries give the same results.
    private func conditions(of index: IndexSchema) -> [SQLFragment] {
        var conditions: [SQLFragment] = []
        if let entities = index.entities {
            let numbers = entities.map { "\(number: $0)" as SQLFragment }.joined()
            conditions.append("\(name: StoreNames.entity) IN (\(numbers))")
        }
        if let predicate = index.predicate,
            let condition = try? SQLRenderer(dialect).fragment(predicate).withLiterals(in: dialect)
        {
            conditions.append(conditions.isEmpty ? condition : "(\(condition))")
        }
        return conditions
    }
}
