package import ContextCore

/// Compiles fetches to SELECT statements.
package struct FetchCompiler {
    private let mapping: StoreMapping

    package init(_ mapping: StoreMapping) {
        self.mapping = mapping
    }

    /// Returns the SELECT statement of a plan and the position of each column in its result.
    ///
    /// ```sql
    /// SELECT t0."_id", t0."_version", t0."title" FROM "game" AS t0 WHERE t0."title" = ?1 ORDER BY t0."title", t0."_id"
    /// ```
    ///
    /// - Parameter ordersByKey: Whether the statement sorts by key even if the plan fetches all rows and has no order.
    package func compile(_ plan: FetchPlan, ordersByKey: Bool) throws(StoreError) -> (
        SelectStatement, SelectedColumns
    ) {
        let selection = SelectedColumns(
            mapping, entityIndex: plan.entityIndex, includesSubentities: plan.includesSubentities,
            columns: plan.columns, defersExternalValues: plan.defersExternalValues && plan.columns == nil)
        let scope = RowsScope(mapping, plan.entityIndex, includesSubentities: plan.includesSubentities)
        if let predicate = plan.predicate {
            scope.query.addCondition(try scope.compiler.condition(predicate, isFilter: true))
        }
        let order = try scope.order(plan.order)
        var select = scope.query.select(selection.expressions(of: scope.alias))
        // Rows are locked in a fixed order, so that two transactions don't deadlock.
        if ordersByKey || !order.isEmpty || plan.limit != nil || plan.offset > 0 || plan.lock != nil {
            select.order = order + [.init(.column(of: scope.alias, StoreNames.key))]
        }
        select.limit = plan.limit.map { .rows($0) }
        select.offset = plan.offset > 0 ? .rows(plan.offset) : nil
        if plan.lock != nil {
            select.lock = SelectStatement.Lock(alias: scope.alias, wait: .init(plan.lockWait))
        }
        return (select, selection)
    }
}

extension SelectStatement.Lock.Wait {
    /// Maps the wait of a request to the statement's lock clause, which has no timeout.
    init(_ wait: LockWait) {
        self =
            switch wait {
            case .untilTimeout, .wait: .waits
            case .noWait: .fails
            case .skipLocked: .skips
            }
    }
}

/// The rows of an entity as the outermost scope of a query.
struct RowsScope {
    let query: QueryBuilder
    let alias: String
    let compiler: PredicateCompiler

    init(_ mapping: StoreMapping, _ entityIndex: Int, includesSubentities: Bool) {
        let aliases = AliasCounter()
        let entity = mapping.entities[entityIndex]
        query = QueryBuilder(aliases)
        alias = query.add(entity.table) { alias in
            mapping.entityCondition(entityIndex, includesSubentities: includesSubentities, alias: alias)
        }
        compiler = PredicateCompiler(
            mapping, aliases: aliases, scopes: [RowNode(entity, alias: alias, query, mapping)])
    }

    /// Returns the sort terms, without constants, and without a placement of nulls where the value can't be null.
    func order(_ keys: [ResolvedSortKey]) throws(StoreError) -> [SelectStatement.Order] {
        var order: [SelectStatement.Order] = []
        for key in keys where key.expression.constant == nil {
            order.append(
                SelectStatement.Order(
                    try compiler.value(key.expression).sql, isDescending: key.isDescending,
                    nullsFirst: key.expression.isNullable ? key.nullsFirst : nil))
        }
        return order
    }
}

extension StoreMapping {
    /// Returns the condition that excludes rows of other entities in the same table, or nil if there are no such rows.
    func entityCondition(_ index: Int, includesSubentities: Bool, alias: String) -> SQLExpression? {
        let entity = entities[index]
        guard entity.hasEntityColumn else { return nil }
        if includesSubentities && entity.layout.rootIndex == index { return nil }
        let column = SQLExpression.column(of: alias, StoreNames.entity)
        let family = includesSubentities ? entity.layout.familyIndices : [index]
        let numbers = family.filter { !entities[$0].layout.isAbstract }.map {
            SQLExpression.number(entities[$0].number)
        }
        switch numbers.count {
        case 0: return .truth(false)
        case 1: return .comparison(column, .equal, numbers[0])
        default: return .isAmong(column, numbers)
        }
    }
}
