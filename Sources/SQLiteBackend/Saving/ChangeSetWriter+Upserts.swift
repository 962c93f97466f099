#if SQLite
import ContextCore
import SQLStore

extension ChangeSetWriter {
    func upsertRows(
        _ group: BatchUpsert.Group, matching constraint: UniqueColumns?, into entity: EntityMapping
    ) throws(StoreError) -> [[Int64]] {
        guard let greatest = BatchKeys(group.rows).max() else { return [[], []] }
        let root = store.mapping.entities[entity.layout.rootIndex]
        try store.keys.recordInsertedKey(greatest, of: root, connection)
        var upsert = RowUpsert(store, group, constraint, entity)
        let multiple = group.rows.count / upsert.rowsPerStatement * upsert.rowsPerStatement
        if multiple > 0 { try upsert.run(0..<multiple, inStepsOf: upsert.rowsPerStatement, connection) }
        try upsert.run(multiple..<group.rows.count, inStepsOf: 1, connection)
        return upsert.written
    }
}

/// Runs the statements of one group of an upsert.
private struct RowUpsert {
    private let store: SQLiteStore
    private let group: BatchUpsert.Group
    private let constraint: UniqueColumns?
    private let entity: EntityMapping
    private let texts: EntityStatements
    /// The keys of the written rows and, if entities share the table, the numbers of their entities.
    private(set) var written: [[Int64]]

    init(
        _ store: SQLiteStore, _ group: BatchUpsert.Group, _ constraint: UniqueColumns?,
        _ entity: EntityMapping
    ) {
        self.store = store
        self.group = group
        self.constraint = constraint
        self.entity = entity
        texts = store.statements[entity.layout.index]
        written = Array(repeating: [], count: entity.hasEntityColumn ? 2 : 1)
        for place in written.indices { written[place].reserveCapacity(group.rows.count) }
    }

    /// The number of rows of a statement for many rows.
    var rowsPerStatement: Int { texts.rowsPerInsert }

    /// Upserts rows with statements of the same number of rows.
    mutating func run(_ rows: Range<Int>, inStepsOf step: Int, _ connection: SQLiteConnection)
        throws(StoreError)
    {
        if rows.isEmpty { return }
        let statement = try connection.statement(sql(step))
        defer { statement.reset() }
        for first in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
            for place in 0..<step {
                let start = Int32(1 + place * texts.width)
                try texts.bind(group.rows, first + place, to: statement, from: start)
            }
            while try statement.step() {
                for place in written.indices { written[place].append(statement.integer(Int32(place))) }
            }
            statement.rewind()
        }
    }

    private func sql(_ rows: Int) -> String {
        let index = entity.layout.index
        return store.texts.text(
            .upsert(entityIndex: index, columns: group.columns, constraint, isSingle: rows == 1)
        ) {
            RowStatements(.sqlite).upsert(
                into: entity, rows: rows,
                UpsertClause(group.columns, matching: constraint, of: entity, in: store.mapping))
        }
    }
}
#endif
