package import ContextCore

/// Compiles batch updates, which change rows by predicate, to UPDATE statements.
package struct BatchCompiler {
    private let mapping: StoreMapping
    private let dialect: SQLDialect

    package init(_ mapping: StoreMapping, _ dialect: SQLDialect) {
        self.mapping = mapping
        self.dialect = dialect
    }

    /// Returns an UPDATE that assigns values to the plan's rows, increments their versions, and returns their keys.
    ///
    /// ```sql
    /// UPDATE "game" SET "title" = ?1, "_version" = "_version" + 1
    /// WHERE "_id" IN (SELECT t0."_id" FROM "game" AS t0 WHERE t0."price" > ?2) RETURNING "_id"
    /// ```
    package func update(_ plan: BatchPlan, _ values: [Int: StoredValue]) throws(StoreError) -> SQLText {
        let scope = RowsScope(mapping, plan.entityIndex, includesSubentities: plan.includesSubentities)
        if let predicate = plan.predicate {
            scope.query.addCondition(try scope.compiler.condition(predicate, isFilter: true))
        }
        let keys = scope.query.select([.column(of: scope.alias, StoreNames.key)])
        let entity = mapping.entities[plan.entityIndex]
        let bindings = values.sorted { $0.key < $1.key }.map { column, value in
            (column: column, SQLBinding.value(value, entity.columns[column].type))
        }
        return RowStatements(dialect).update(
            of: entity, values: bindings, where: try SQLRenderer(dialect).fragment(keys))
    }
}
