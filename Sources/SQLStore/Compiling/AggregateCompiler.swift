package import ContextCore

/// Turns requests for values into queries.
package struct AggregateCompiler {
    private let mapping: StoreMapping

    package init(_ mapping: StoreMapping) {
        self.mapping = mapping
    }

    /// The query of a plan, and what each of its columns is.
    ///
    /// ```sql
    /// SELECT t0."game_id", count(*) FROM "player" AS t0 GROUP BY t0."game_id" HAVING count(*) > ?1
    /// ```
    package func compile(_ plan: AggregatePlan) throws(StoreError) -> (SelectStatement, [SQLType]) {
        let scope = RowsScope(mapping, plan.entityIndex, includesSubentities: plan.includesSubentities)
        let compiler = scope.compiler
        if let predicate = plan.predicate {
            scope.query.require(try compiler.condition(predicate, isFilter: true))
        }
        let columns = try values(plan.columns, compiler)
        let groups = try values(plan.groupBy, compiler)
        let having = try plan.having.map { (having) throws(StoreError) in
            try compiler.condition(having, isFilter: true)
        }
        let order = try scope.order(plan.order)
        var select = scope.query.select(columns.map(\.sql))
        select.groupBy = groups.map(\.sql)
        select.having = having
        select.order = order
        select.isDistinct = plan.isDistinct
        select.limit = plan.limit
        select.offset = plan.offset
        return (select, columns.map(\.type))
    }

    private func values(
        _ expressions: [ResolvedExpression], _ compiler: PredicateCompiler
    ) throws(StoreError) -> [TypedSQL] {
        var values: [TypedSQL] = []
        for expression in expressions { values.append(try compiler.value(expression)) }
        return values
    }
}
