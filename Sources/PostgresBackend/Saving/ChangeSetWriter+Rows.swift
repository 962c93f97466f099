#if Postgres
import ContextCore
import SQLStore

extension ChangeSetWriter: RowWriter {
    func insertRows(_ rows: RowBatch, into entity: EntityMapping) throws(StoreError) {
        let entityIndex = entity.layout.index
        if rows.count == 1 { return try insertSingle(rows, into: entity) }
        if rows.count >= RowCopy.minimumRows {
            let copy = RowCopy(entity, store.dialect)
            if try copy.accepts(rows, connection) { return try copy.insert(rows, connection) }
        }
        let columns = store.rowColumns[entityIndex]
        let sql = store.texts.text(.insertion(entityIndex: entityIndex)) {
            arrays(of: entityIndex).insertion()
        }
        for part in columns.chunks(rows) {
            var parameters = PostgresParameters()
            parameters.append(keys: part.lazy.map { rows.key(at: $0) })
            parameters.append(keys: part.lazy.map { rows.version(at: $0) })
            try columns.append(rows, rows: part, to: &parameters)
            try connection.sendInPipeline(sql, parameters)
        }
    }

    /// Inserts one row with scalar parameters, since planning the statement with arrays takes longer than the insertion.
    private func insertSingle(_ rows: RowBatch, into entity: EntityMapping) throws(StoreError) {
        let sql = store.texts.text(.singleInsertion(entityIndex: entity.layout.index)) {
            RowStatements(store.dialect).insertion(into: entity)
        }
        var parameters = PostgresParameters()
        parameters.append(rows.key(at: 0))
        parameters.append(rows.version(at: 0))
        if entity.hasEntityColumn { parameters.append(Int64(entity.number)) }
        try store.rowColumns[entity.layout.index].append(rows, row: 0, to: &parameters)
        try connection.sendInPipeline(sql, parameters)
    }

    func delete(_ keys: [Int64], of entityIndex: Int) throws(StoreError) {
        if keys.isEmpty { return }
        try connection.sendInPipeline(deletion(of: entityIndex, .key), SessionReader.keys(keys))
    }

    // MARK: Positions

    func positions(_ column: String, of table: String, _ keys: [Int64]) throws(StoreError) -> [RowPosition] {
        let result = try connection.run(
            ArrayStatements.positions(column, of: table, store.dialect), SessionReader.keys(keys))
        return (0..<result.count).map {
            RowPosition(key: result.integer($0, 0), position: result.integer($0, 1))
        }
    }

    func setPositions(_ positions: [RowPosition], _ column: String, of table: String) throws(StoreError) {
        // Use the last of several positions of a row; the server would use any of them.
        let places = Dictionary(positions.map { ($0.key, $0.position) }) { _, last in last }
            .sorted { $0.key < $1.key }
        var parameters = SessionReader.keys(places.map(\.key))
        parameters.append(keys: places.map(\.value))
        try connection.sendInPipeline(
            ArrayStatements.positioning(column, of: table, store.dialect), parameters)
    }

    func clearPositions(
        of links: [Link], among children: CollectionMapping.Children, position: String
    ) throws(StoreError) -> [Link] {
        if links.isEmpty { return [] }
        let sql = ArrayStatements.positionRemoval(of: children, position: position, store.dialect)
        let result = try connection.run(sql, SessionReader.keys(links.map(\.target)))
        let cleared = Set((0..<result.count).map { result.integer($0, 0) })
        return links.filter { cleared.contains($0.target) }
    }

    func move(_ links: [Link], in positions: MemberPositions) throws(StoreError) -> [Link] {
        let sql = ArrayStatements.positionUpdate(in: positions, store.dialect)
        var moved: Set<[Int64]> = []
        for part in Self.chunks(links) {
            var parameters = ends(of: part)
            parameters.append(keys: part.lazy.map(\.position))
            moved.formUnion(pairs(try connection.run(sql, parameters)))
        }
        return links.filter { moved.contains([$0.owner, $0.target]) }
    }

    /// Returns the owners and targets in a result.
    private func pairs(_ result: PostgresResult) -> [[Int64]] {
        (0..<result.count).map { [result.integer($0, 0), result.integer($0, 1)] }
    }

    // MARK: Links

    func remove(_ links: [Link], from table: CollectionMapping.Links) throws(StoreError) -> [Link] {
        if links.isEmpty { return [] }
        let sql = ArrayStatements.removal(of: table, store.dialect)
        var removed: Set<[Int64]> = []
        for part in Self.chunks(links) {
            removed.formUnion(pairs(try connection.run(sql, ends(of: part))))
        }
        return links.filter { removed.contains([$0.owner, $0.target]) }
    }

    func insertOrMoveLinks(_ links: [Link], in table: CollectionMapping.Links) throws(StoreError) {
        let sql = ArrayStatements.linkUpsert(of: table, store.dialect)
        for part in Self.chunks(links) {
            var parameters = ends(of: part)
            if table.position != nil { parameters.append(keys: part.lazy.map(\.position)) }
            try connection.sendInPipeline(sql, parameters)
        }
    }

    func insertMirroredLinks(_ links: [Link], in table: CollectionMapping.Links) throws(StoreError) {
        let sql = ArrayStatements.mirroredLinkInsertion(of: table, store.dialect)
        for part in Self.chunks(links) { try connection.sendInPipeline(sql, ends(of: part)) }
    }

    /// Splits links into parts that one statement each writes.
    private static func chunks(_ links: [Link]) -> [ArraySlice<Link>] {
        links.chunks(ofCount: 100_000)
    }

    private func ends(of links: ArraySlice<Link>) -> PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(keys: links.lazy.map(\.owner))
        parameters.append(keys: links.lazy.map(\.target))
        return parameters
    }
}
#endif
