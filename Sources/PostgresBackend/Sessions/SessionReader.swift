#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Runs the queries of a session on its connection.
struct SessionReader: RowReader {
    let store: PostgresStore
    let connection: PostgresConnection
    var defersExternalValues = false

    func rows(_ text: SQLText, _ format: RowFormat, of plan: FetchPlan) throws(StoreError) -> RowBatch {
        let decoder = RowDecoder(
            model: store.model, selection: format.selection, sortsByKey: !format.isSorted)
        // Only a fetch of all rows without an order and without bound values can use COPY.
        guard plan.fetchesAllRows, plan.order.isEmpty else {
            return try decoder.rows(connection.result(of: text))
        }
        let rows: RowBatch
        let queryKind = ResultSizes.QueryKind.all(entityIndex: plan.entityIndex)
        if store.resultSizes.expectsLargeResult(of: queryKind) {
            assert(text.bindings.isEmpty, "A fetch of all rows has no bound values.")
            var builder = decoder.builder()
            try connection.copy(rowsOf: text.sql, width: format.selection.columns.count) {
                row throws(StoreError) in
                try decoder.append(row, to: &builder)
            }
            rows = try decoder.finish(builder)
        } else {
            rows = try decoder.rows(try connection.result(of: text))
        }
        store.resultSizes.record(rows.count, of: queryKind)
        return rows
    }

    func explain(_ plan: FetchPlan) throws(StoreError) -> StatementExplanation {
        let (select, _) = try FetchCompiler(mapping).compile(deferring(plan), ordersByKey: false)
        let text = SQLText(try SQLRenderer(store.dialect).fragment(select), store.dialect)
        let result = try connection.run("EXPLAIN " + text.sql, try PostgresParameters(text.bindings))
        return StatementExplanation(
            statement: text.sql, steps: (0..<result.count).map { result.text($0, 0) })
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws(StoreError) -> RowBatch {
        let selection = store.selections.selection(
            of: entityIndex, defersExternalValues: defersExternalValues)
        guard keys.count == 1, !selection.defersExternalValues else {
            return try rows(keys, selection, of: entityIndex)
        }
        let sql = store.texts.text(.row(entityIndex: entityIndex)) {
            statements.row(selection, of: entityIndex)
        }
        var parameters = PostgresParameters()
        parameters.append(keys[0])
        return try RowDecoder(model: store.model, selection: selection).rows(
            try connection.run(sql, parameters))
    }

    func rows(_ sql: String, keys: [Int64], _ selection: SelectedColumns) throws(StoreError) -> RowBatch {
        try RowDecoder(model: store.model, selection: selection).rows(try runKeyQuery(sql, keys))
    }

    func integers(_ sql: String, keys: [Int64]) throws(StoreError) -> [Int64] {
        try runKeyQuery(sql, keys).integers(0)
    }

    func integers(_ text: SQLText, columns: Int) throws(StoreError) -> [[Int64]] {
        let result = try connection.result(of: text)
        return (0..<columns).map { result.integers($0) }
    }

    func duplicateKeys(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64] {
        let entity = store.mapping.entities[entityIndex]
        let sql = store.texts.text(.search(constraint, entityIndex: entityIndex)) {
            ArrayStatements(entity: entity, dialect: store.dialect).search(
                columns: constraint.columns, entities: store.mapping.numbers(sharing: constraint))
        }
        let columns = RowColumns(entity, columns: constraint.columns)
        var found: [Int64: Int64] = [:]
        for part in columns.chunks(rows) {
            var parameters = Self.keys(part.map { rows.key(at: $0) })
            try columns.append(rows, rows: part, to: &parameters)
            let result = try connection.run(sql, parameters)
            for row in 0..<result.count { found[result.integer(row, 0)] = result.integer(row, 1) }
        }
        return found
    }

    // MARK: Relationships

    func children(
        _ children: CollectionMapping.Children, _ plan: RelatedPlan, _ selection: SelectedColumns,
        linkedThrough reference: Int
    ) throws(StoreError) -> RelatedRows {
        let decoder = RowDecoder(model: store.model, selection: selection)
        let queryKind = ResultSizes.QueryKind.children(entityIndex: plan.entityIndex, slot: plan.slot)
        let isLong = store.resultSizes.expectsLargeResult(of: queryKind, ownerCount: plan.owners.count)
        var builder = decoder.builder()
        // The position follows the row's columns.
        let place = selection.columns.count
        var positions: [Int64]? = children.position == nil ? nil : []
        // For all owners, select every row that has one: the server would search a list of owners for each row.
        let isOfAll = plan.ownersAreAll && plan.owners.count > Self.maxGenericPlanKeys
        let sql = statements.rows(children, selection, plan, ofAllOwners: isOfAll, from: store.texts)
        if isLong {
            let text =
                isOfAll
                ? sql
                : statements.rows(children, selection, of: PostgresLiteral.spelling(of: plan.owners)).sql
            let width = positions == nil ? place : place + 1
            try connection.copy(rowsOf: text, width: width, called: sql) { row throws(StoreError) in
                try decoder.append(row, to: &builder)
                positions?.append(PostgresBytes.integer(row.value(place)))
            }
        } else {
            let result = isOfAll ? try connection.run(sql) : try runKeyQuery(sql, plan.owners)
            try decoder.appendAll(result, to: &builder)
            if positions != nil { positions = result.integers(place) }
        }
        store.resultSizes.record(builder.count, of: queryKind, ownerCount: plan.owners.count)
        return try RelatedRows(found: builder, through: reference, positions: positions, of: plan.owners)
    }

    func links(_ sql: String, owners: [Int64], hasPosition: Bool) throws(StoreError) -> [RelatedRows.Link] {
        let result = try runKeyQuery(sql, owners)
        return (0..<result.count).map { row in
            RelatedRows.Link(
                owner: result.integer(row, 0), target: result.integer(row, 1),
                position: hasPosition ? result.integer(row, 2) : 0)
        }
    }

    /// Runs a query with an array of keys.
    ///
    /// A generic plan assumes ten keys, and may scan the array for each row. So the server plans queries with more keys each time.
    func runKeyQuery(_ sql: String, _ keys: some Collection<Int64>) throws(StoreError) -> PostgresResult {
        try connection.run(sql, Self.keys(keys), usesPreparedStatement: keys.count <= Self.maxGenericPlanKeys)
    }

    /// The largest number of keys for which the generic plan is good enough.
    private static let maxGenericPlanKeys = 50

    static func keys(_ keys: some Collection<Int64>) -> PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(keys: keys)
        return parameters
    }
}
#endif
