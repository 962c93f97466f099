#if SQLite
import ContextCore
import SQLStore

extension ChangeSetWriter: RowWriter {
    func delete(_ keys: [Int64], of entityIndex: Int) throws(StoreError) {
        try run(store.statements[entityIndex].deletion, keys) { $1.bind(1, $0) }
    }

    // MARK: Positions

    func positions(_ column: String, of table: String, _ keys: [Int64]) throws(StoreError) -> [RowPosition] {
        let sql: SQLFragment =
            "SELECT \(name: column) FROM \(name: table) WHERE \(name: StoreNames.key) = \(.parameter(.key))"
        let statement = try connection.statement(SQLText(sql, .sqlite).sql)
        defer { statement.reset() }
        var positions: [RowPosition] = []
        for key in keys {
            statement.bind(1, key)
            if try statement.step(), !statement.isNull(0) {
                positions.append(RowPosition(key: key, position: statement.integer(0)))
            }
            statement.rewind()
        }
        return positions
    }

    func setPositions(_ positions: [RowPosition], _ column: String, of table: String) throws(StoreError) {
        try run(RowStatements(.sqlite).positioning(column, of: table).sql, positions) { place, statement in
            statement.bind(1, place.position)
            statement.bind(2, place.key)
        }
    }

    func clearPositions(
        of links: [Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError) -> [Link] {
        try run(RowStatements(.sqlite).positionRemoval(of: children, position: position).sql, links) {
            $1.bind(1, $0.target)
        }
    }

    func move(_ links: [Link], in positions: MemberPositions) throws(StoreError) -> [Link] {
        try run(RowStatements(.sqlite).positionUpdate(in: positions).sql, links) { link, statement in
            statement.bind(1, link.position)
            statement.bind(2, link.owner)
            statement.bind(3, link.target)
        }
    }

    // MARK: Links

    func remove(_ links: [Link], from table: CollectionMapping.Links) throws(StoreError) -> [Link] {
        try run(RowStatements(.sqlite).removal(of: table).sql, links) { link, statement in
            statement.bind(1, link.owner)
            statement.bind(2, link.target)
        }
    }

    func insertOrMoveLinks(_ links: [Link], in table: CollectionMapping.Links) throws(StoreError) {
        let hasPosition = table.position != nil
        try run(RowStatements(.sqlite).linkUpsert(of: table).sql, links) { link, statement in
            statement.bind(1, link.owner)
            statement.bind(2, link.target)
            if hasPosition { statement.bind(3, link.position) }
        }
    }

    func insertMirroredLinks(_ links: [Link], in table: CollectionMapping.Links) throws(StoreError) {
        try run(RowStatements(.sqlite).mirroredLinkInsertion(of: table).sql, links) { link, statement in
            statement.bind(1, link.owner)
            statement.bind(2, link.target)
        }
    }

    // MARK: Running

    /// Runs a statement for each value, and returns the values for which it changed rows.
    @discardableResult
    func run<Value>(
        _ sql: String, _ values: [Value], _ bind: (Value, SQLiteStatement) -> Void
    ) throws(StoreError) -> [Value] {
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        var changed: [Value] = []
        for value in values {
            bind(value, statement)
            try statement.run()
            statement.rewind()
            if connection.changedRows > 0 { changed.append(value) }
        }
        return changed
    }
}
#endif
