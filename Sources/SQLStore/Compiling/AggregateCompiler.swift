package import ContextCore

/// Compiles aggregate requests to SELECT statements.
package struct AggregateCompiler {
    private let mapping: StoreMapping

    package init(_ mapping: StoreMapping) {
        self.mapping = mapping
    }

    /// Returns the SELECT statement of a plan and the type of each of its columns.
    ///
    /// ```sql
    /// SELECT t0."game_id", count(*) FROM "player" AS t0
    /// GROUP BY t0."game_id" HAVING count(*) > ?1 ORDER BY t0."game_id" NULLS FIRST
    /// ```
    package func compile(_ plan: AggregatePlan) throws(StoreError) -> (SelectStatement, [SQLType]) {
        let scope = RowsScope(mapping, plan.entityIndex, includesSubentities: plan.includesSubentities)
        let compiler = scope.compiler
        if let predicate = plan.predicate {
            scope.query.addCondition(try compiler.condition(predicate, isFilter: true))
        }
        let columns = try values(plan.columns, compiler)
        let groups = try values(plan.groupBy, compiler)
        let having = try plan.having.map { (having) throws(StoreError) in
            try compiler.condition(having, isFilter: true)
        }
        let order = try scope.order(plan.order)
        let ties = ties(of: plan, groups, scope)
        var select = scope.query.select(columns.map(\.sql))
        select.groupBy = groups.map(\.sql)
        select.having = having
        if plan.isDistinct {
            select = distinct(select, order, ties)
        } else {
            select.order = order + ties
        }
        select.limit = plan.limit.map { .rows($0) }
        select.offset = plan.offset > 0 ? .rows(plan.offset) : nil
        return (select, columns.map(\.type))
    }

    private func values(
        _ expressions: [ResolvedExpression], _ compiler: PredicateCompiler
    ) throws(StoreError) -> [TypedSQL] {
        var values: [TypedSQL] = []
        for expression in expressions { values.append(try compiler.value(expression)) }
        return values
    }

    /// Returns the sort terms that break ties in the plan's order: the values of the groups, or the keys of the rows.
    private func ties(
        of plan: AggregatePlan, _ groups: [TypedSQL], _ scope: RowsScope
    ) -> [SelectStatement.Order] {
        if groups.isEmpty {
            return plan.aggregatesRows ? [] : [.init(.column(of: scope.alias, StoreNames.key))]
        }
        return zip(plan.groupBy, groups).map { expression, group in
            .init(group.sql, nullsFirst: expression.isNullable ? true : nil)
        }
    }

    /// Wraps a query so that it returns each distinct row once, at the position of its first occurrence in the order of `ties`.
    ///
    /// ```sql
    /// SELECT firsts."c0" FROM (
    ///   SELECT lines."c0", lines."n", row_number() OVER (PARTITION BY lines."c0" ORDER BY lines."n") AS "k"
    ///   FROM (SELECT t0."name" AS "c0", row_number() OVER (ORDER BY t0."_id") AS "n" FROM "player" AS t0) AS lines
    /// ) AS firsts WHERE firsts."k" = 1 ORDER BY firsts."n"
    /// ```
    private func distinct(
        _ select: SelectStatement, _ order: [SelectStatement.Order], _ ties: [SelectStatement.Order]
    ) -> SelectStatement {
        if ties.isEmpty { return select }
        let values = select.columns.indices.map { "c\($0)" }
        let keys = order.indices.map { "o\($0)" }
        var lines = select
        lines.columns += order.map(\.expression) + [.rowNumber(partition: [], order: ties)]
        lines.names = values + keys + ["n"]
        let (inner, outer) = ("lines", "firsts")
        let number = SelectStatement.Order(.column(of: inner, "n"))
        var numbered = SelectStatement(
            lines.names.map { .column(of: inner, $0) }
                + [.rowNumber(partition: values.map { .column(of: inner, $0) }, order: [number])],
            from: .init(lines, as: inner))
        numbered.names = lines.names + ["k"]
        var firsts = SelectStatement(
            values.map { .column(of: outer, $0) }, from: .init(numbered, as: outer))
        firsts.filter = [.comparison(.column(of: outer, "k"), .equal, .number(1))]
        firsts.order =
            zip(order, keys).map { key, name in
                .init(
                    .column(of: outer, name), isDescending: key.isDescending, nullsFirst: key.nullsFirst)
            } + [.init(.column(of: outer, "n"))]
        return firsts
    }
}
