#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Runs a session's queries on its connection.
struct SessionReader: RowReader {
    let store: SQLiteStore
    let connection: SQLiteConnection
    var defersExternalValues = false

    func rows(_ text: SQLText, _ format: RowFormat, of plan: FetchPlan) throws(StoreError) -> RowBatch {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        return try RowDecoder(
            model: store.model, selection: format.selection, isGathered: format.isGathered
        )
        .rows(statement, sortsByKey: !format.isSorted)
    }

    /// Returns SQLite's query plan of a fetch.
    func explain(_ plan: FetchPlan) throws(StoreError) -> StatementExplanation {
        let (text, _) = try store.templates.statement(deferring(plan))
        let statement = try connection.statement("EXPLAIN QUERY PLAN " + text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var steps: [String] = []
        while try statement.step() { steps.append(try statement.text(3)) }
        return StatementExplanation(statement: text.sql, steps: steps)
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws(StoreError) -> RowBatch {
        let texts = store.statements[entityIndex]
        let selection = store.selections.selection(
            of: entityIndex, defersExternalValues: defersExternalValues)
        if selection.defersExternalValues { return try rows(keys, selection, of: entityIndex) }
        let isSingle = keys.count == 1
        let decoder = RowDecoder(
            model: store.model, selection: selection,
            isGathered: !isSingle && texts.gathersRows)
        let statement = try connection.statement(isSingle ? texts.rowByKey : texts.rowsByKeys)
        defer { statement.reset() }
        if isSingle {
            statement.bind(1, keys[0])
        } else {
            try statement.bind([.keys(keys)])
        }
        return try decoder.rows(statement, expecting: keys.count)
    }

    func rows(_ sql: String, keys: [Int64], _ selection: SelectedColumns) throws(StoreError) -> RowBatch {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.keys(keys)])
        return try RowDecoder(
            model: store.model, selection: selection,
            isGathered: SQLDialect.sqlite.supportsGathering(selection.columns.count)
        )
        .rows(statement, expecting: keys.count)
    }

    func integers(_ sql: String, keys: [Int64]) throws(StoreError) -> [Int64] {
        try integers(SQLText(sql, [.keys(keys)]), columns: 1)[0]
    }

    func integers(_ text: SQLText, columns count: Int) throws(StoreError) -> [[Int64]] {
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        try statement.bind(text.bindings)
        var columns = Array(repeating: [Int64](), count: count)
        while try statement.step() {
            for place in 0..<count { columns[place].append(statement.integer(Int32(place))) }
        }
        return columns
    }

    func duplicateKeys(
        of rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns
    ) throws(StoreError) -> [Int64: Int64] {
        let entity = store.mapping.entities[entityIndex]
        let sql = store.texts.text(.search(constraint, entityIndex: entityIndex)) {
            RowStatements(.sqlite).search(
                in: entity, columns: constraint.columns, entities: store.mapping.numbers(sharing: constraint))
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        let binding = RowBinding(entity, columns: constraint.columns)
        var found: [Int64: Int64] = [:]
        for row in 0..<rows.count {
            statement.bind(1, rows.key(at: row))
            try binding.bind(rows, row: row, to: statement, from: 2)
            if try statement.step() { found[rows.key(at: row)] = statement.integer(0) }
            statement.rewind()
        }
        return found
    }

    // MARK: Relationships

    func links(_ sql: String, owners: [Int64], hasPosition: Bool) throws(StoreError) -> [RelatedRows.Link] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.keys(owners)])
        var links: [RelatedRows.Link] = []
        try statement.gather(into: &links)
        return links
    }

    func children(
        _ children: CollectionMapping.Children, _ plan: RelatedPlan, _ selection: SelectedColumns,
        linkedThrough reference: Int
    ) throws(StoreError) -> RelatedRows {
        let isOfAll = plan.ownersAreAll ? try isTableScanFaster(children, plan) : false
        let sql = statements.rows(children, selection, plan, ofAllOwners: isOfAll, from: store.texts)
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        if !isOfAll { try statement.bind([.keys(plan.owners)]) }
        let width = selection.columns.count
        let hasPosition = children.position != nil
        var found = PackedRows(
            statement,
            RowBatchBuilder(
                model: store.model, rowCapacity: plan.owners.count * 256,
                heapCapacity: plan.owners.count * 128),
            positionIndex: hasPosition ? width : nil)
        let decoder = RowDecoder(
            model: store.model, selection: selection,
            isGathered: SQLDialect.sqlite.supportsGathering(hasPosition ? width + 1 : width))
        try decoder.append(statement, to: &found)
        return try found.finish(linkedThrough: reference, of: plan.owners)
    }

    /// Whether scanning the table is faster than looking up each owner in the index.
    ///
    /// It is while few rows are skipped: looking up eight owners takes about as long as skipping one row.
    private func isTableScanFaster(
        _ children: CollectionMapping.Children, _ plan: RelatedPlan
    ) throws(StoreError) -> Bool {
        let few = plan.owners.count / 8
        // With very few owners, this check itself would take half of the time.
        if few < 8 { return false }
        let sql = store.texts.text(.ownerlessChildren(entityIndex: plan.entityIndex, slot: plan.slot)) {
            statements.ownerless(children)
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        statement.bind(1, Int64(few))
        guard try statement.step() else { return false }
        return statement.integer(0) < few
    }
}
#endif
