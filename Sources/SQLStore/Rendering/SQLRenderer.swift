package import ContextCore

/// Renders statements in the syntax of a dialect.
package struct SQLRenderer {
    private let dialect: SQLDialect

    package init(_ dialect: SQLDialect) {
        self.dialect = dialect
    }

    /// Renders a query.
    ///
    /// ```sql
    /// SELECT t0."_id", t0."_version" FROM "game" AS t0 WHERE t0."title" = ?1 ORDER BY t0."_id" LIMIT ?2
    /// ```
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the dialect lacks a function.
    package func fragment(_ select: SelectStatement) throws(StoreError) -> SQLFragment {
        var sql: SQLFragment = "SELECT \(try columns(of: select)) FROM \(try source(select.source))"
        for join in select.joins {
            let condition = try fragment(join.condition)
            sql.append(join.isOuter ? " LEFT JOIN " : " JOIN ")
            sql.append("\(try source(join.source)) ON \(condition)")
        }
        if !select.filter.isEmpty { sql.append(" WHERE \(try fragment(.and(select.filter)))") }
        if !select.groupBy.isEmpty { sql.append(" GROUP BY \(try list(select.groupBy))") }
        if let having = select.having { sql.append(" HAVING \(try fragment(having))") }
        if !select.order.isEmpty { sql.append(" ORDER BY \(try list(select.order))") }
        sql.append(page(select))
        if let lock = select.lock { sql.append(dialect.lock(lock)) }
        return sql
    }

    /// Renders a value or a condition.
    package func fragment(_ expression: SQLExpression) throws(StoreError) -> SQLFragment {
        switch expression {
        case .column("", let name): return "\(name: name)"
        case .column(let alias, let name): return "\(table: alias).\(name: name)"
        case .binding(let binding): return dialect.constant(binding)
        case .null: return "NULL"
        case .truth(let isTrue): return isTrue ? "TRUE" : "FALSE"
        case .number(let number): return "\(number: number)"
        case .comparison(let left, let comparison, let right):
            return "\(try operand(left)) \(spelling(of: comparison)) \(try operand(right))"
        case .isNull(let value): return "\(try operand(value)) IS NULL"
        case .isNotNull(let value): return "\(try operand(value)) IS NOT NULL"
        case .isAmong(let value, let members):
            return "\(try operand(value)) IN (\(try list(members)))"
        case .isListed(let value, let members, let type):
            return "\(try operand(value)) IN (\(dialect.listQuery("\(.list(members, type))", type)))"
        case .not(let condition): return "NOT \(try operand(condition))"
        case .and(let conditions): return try chain(conditions, " AND ")
        case .or(let conditions): return try chain(conditions, " OR ")
        case .truthTest(let condition, let truth): return try truthTest(condition, truth)
        case .exists(let query): return "EXISTS (\(try fragment(query)))"
        case .scalar(let query): return "(\(try fragment(query)))"
        case .conditional(let condition, let then, let otherwise):
            return
                "CASE WHEN \(try fragment(condition)) THEN \(try fragment(then)) ELSE \(try fragment(otherwise)) END"
        case .call(let function, let arguments): return try call(function, arguments)
        case .rowNumber(let partition, let order): return try rowNumber(partition, order)
        }
    }
}

// MARK: - Parts

extension SQLRenderer {
    private func source(_ source: SelectStatement.Source) throws(StoreError) -> SQLFragment {
        switch source.content {
        case .table(let name): return "\(stored: name) AS \(table: source.alias)"
        case .query(let query): return "(\(try fragment(query))) AS \(table: source.alias)"
        }
    }

    private func columns(of select: SelectStatement) throws(StoreError) -> SQLFragment {
        if select.isGathered { return dialect.gatheringCall(try list(select.columns)) }
        if select.names.isEmpty { return try list(select.columns) }
        var columns = SQLFragment()
        for (column, name) in zip(select.columns, select.names) {
            if !columns.isEmpty { columns.append(", ") }
            columns.append("\(try fragment(column)) AS \(name: name)")
        }
        return columns
    }

    private func list(_ keys: [SelectStatement.Order]) throws(StoreError) -> SQLFragment {
        var list = SQLFragment()
        for key in keys {
            if !list.isEmpty { list.append(", ") }
            list.append(try fragment(key))
        }
        return list
    }

    private func rowNumber(
        _ partition: [SQLExpression], _ order: [SelectStatement.Order]
    ) throws(StoreError) -> SQLFragment {
        var window = SQLFragment()
        if !partition.isEmpty { window.append("PARTITION BY \(try list(partition)) ") }
        window.append("ORDER BY \(try list(order))")
        return "row_number() OVER (\(window))"
    }

    private func list(_ expressions: [SQLExpression]) throws(StoreError) -> SQLFragment {
        var list = SQLFragment()
        for (index, expression) in expressions.enumerated() {
            if index > 0 { list.append(", ") }
            list.append(try fragment(expression))
        }
        return list
    }

    private func fragment(_ key: SelectStatement.Order) throws(StoreError) -> SQLFragment {
        var sql = try fragment(key.expression)
        if key.isDescending { sql.append(" DESC") }
        if let first = key.nullsFirst { sql.append(first ? " NULLS FIRST" : " NULLS LAST") }
        return sql
    }

    private func page(_ select: SelectStatement) -> SQLFragment {
        var sql = SQLFragment()
        if let limit = select.limit {
            sql.append(" LIMIT \(limit)")
        } else if select.offset != nil {
            // OFFSET without a limit is LIMIT -1 in SQLite and LIMIT ALL in PostgreSQL; a huge limit works in both.
            sql.append(" LIMIT \(SQLBinding.rows(.max))")
        }
        if let offset = select.offset { sql.append(" OFFSET \(offset)") }
        return sql
    }

    /// Joins conditions; a long chain is nested in parentheses, because the depth of a parse tree is limited.
    private func chain(_ conditions: [SQLExpression], _ separator: SQLFragment) throws(StoreError)
        -> SQLFragment
    {
        if conditions.count == 1 { return try fragment(conditions[0]) }
        var parts: [SQLFragment] = []
        for condition in conditions { parts.append(try operand(condition)) }
        while parts.count > Self.maximumChainLength {
            parts = parts.chunks(ofCount: Self.maximumChainLength).map { "(\($0.joined(by: separator)))" }
        }
        return parts.joined(by: separator)
    }

    private static let maximumChainLength = 50

    private func truthTest(_ condition: SQLExpression, _ truth: PredicateTruth) throws(StoreError)
        -> SQLFragment
    {
        let operand = try operand(condition)
        return switch truth {
        case .true: "\(operand) IS TRUE"
        case .false: "\(operand) IS FALSE"
        case .unknown: "\(operand) IS NULL"
        }
    }

    private func call(_ function: SQLFunction, _ arguments: [SQLExpression]) throws(StoreError) -> SQLFragment
    {
        var fragments: [SQLFragment] = []
        for argument in arguments { fragments.append(try fragment(argument)) }
        if let call = dialect.call(function, fragments) { return call }
        let written = fragments.map(\.withoutValues).joined(separator: ", ")
        throw StoreError(
            .unsupportedRequest, "This store can't evaluate “\(function.name)(\(written))”.",
            remedy: "Fetch the objects, and compute the value in the program.")
    }

    /// Renders an operand, in parentheses unless it is atomic.
    private func operand(_ expression: SQLExpression) throws(StoreError) -> SQLFragment {
        let sql = try fragment(expression)
        switch expression {
        case .column, .binding, .null, .truth, .number, .exists, .scalar, .call, .rowNumber: return sql
        case .and(let conditions) where conditions.count == 1: return try operand(conditions[0])
        case .or(let conditions) where conditions.count == 1: return try operand(conditions[0])
        default: return "(\(sql))"
        }
    }

    private func spelling(of comparison: SQLComparison) -> SQLFragment {
        switch comparison {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .same: dialect.same
        case .different: dialect.different
        }
    }
}
