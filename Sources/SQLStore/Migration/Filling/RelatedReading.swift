import ContextCore

/// Reads what a relationship of the older model leads to, for the objects of a batch at once.
struct RelatedReading: Hashable {
    private let rows: OlderRows
    private let target: String
    private let way: Way

    /// How a row at the other end is found.
    private enum Way: Hashable {
        case column(String, of: String)
        case collection(CollectionMapping)
    }

    /// What was read.
    struct Answer {
        /// What each object is related to, by its key.
        var members: [Int64: [OlderObject]] = [:]
        /// How many of the objects that were asked about, from the first on, have all that they are related to in here.
        var complete: Int
    }

    /// How many rows are read for one batch, unless one object alone is related to more.
    static let mostRows = 10_000

    /// Is nil where the entity has no relationship of the name.
    init?(_ name: String, of entity: EntityMapping, in mapping: StoreMapping) {
        guard let property = entity.layout.property(named: name), let relationship = property.relationship
        else { return nil }
        if let collection = entity.collections[property.slot] {
            way = .collection(collection)
        } else if let column = property.columns.first {
            way = .column(entity.columns[column].name, of: entity.table)
        } else {
            return nil
        }
        rows = OlderRows(
            mapping, FillSource(index: relationship.destinationIndex, includesSubentities: true))
        target = mapping.entities[relationship.destinationIndex].table
    }

    /// - Parameter owners: The keys of the objects, in their order; at least one.
    func answer(
        _ owners: [Int64], _ connection: any MigrationConnection
    ) throws(StoreError) -> Answer {
        let found = try read(owners, limit: Self.mostRows + 1, connection)
        guard found.count > Self.mostRows, let cut = found.last?.owner else {
            return Answer(members: members(found), complete: owners.count)
        }
        let complete = owners.prefix { $0 < cut }.count
        if complete == 0 {
            return Answer(members: members(try read([cut], limit: nil, connection)), complete: 1)
        }
        return Answer(members: members(found.filter { $0.owner < cut }), complete: complete)
    }

    private func members(_ found: [(owner: Int64, object: OlderObject?)]) -> [Int64: [OlderObject]] {
        var members: [Int64: [OlderObject]] = [:]
        for case (let owner, let object?) in found { members[owner, default: []].append(object) }
        return members
    }

    // MARK: The question

    private func read(
        _ owners: [Int64], limit: Int?, _ connection: any MigrationConnection
    ) throws(StoreError) -> [(owner: Int64, object: OlderObject?)] {
        let text = question(owners, limit: limit, connection.spelling.dialect)
        return try connection.rows(text, [.key] + rows.types).map { row in
            (Int64(row[0].number), rows.object(row.dropFirst()))
        }
    }

    func question(_ owners: [Int64], limit: Int?, _ dialect: SQLDialect) -> SQLText {
        let renderer = SQLRenderer(dialect)
        // Columns, and a case of them, are spelled by every dialect.
        let columns = rows.expressions(of: "d").compactMap { try? renderer.fragment($0) }.joined()
        let (source, owner, order) = parts
        let places = order + [column("d", StoreNames.key)]
        var sql: SQLFragment = """
            SELECT \(owner), \(columns) FROM \(source) \
            WHERE \(owner) \(dialect.isAmongKeys("\(.keys(owners))")) \
            ORDER BY \(owner), \(places.joined())
            """
        if let limit { sql.append(" LIMIT \(.rows(limit))") }
        return SQLText(sql, dialect)
    }

    /// Where the rows are, the owner's key, and what comes before their keys in the order.
    private var parts: (source: SQLFragment, owner: SQLFragment, order: [SQLFragment]) {
        let destination: SQLFragment = "\(name: target) AS \(table: "d")"
        let key = column("d", StoreNames.key)
        switch way {
        case .column(let reference, let table):
            let source: SQLFragment =
                "\(name: table) AS \(table: "o") JOIN \(destination) ON \(key) = \(column("o", reference))"
            return (source, column("o", StoreNames.key), [])
        case .collection(.children(let children)):
            return (
                destination, column("d", children.reference),
                children.position.map { [column("d", $0)] } ?? []
            )
        case .collection(.links(let links)):
            let source: SQLFragment =
                "\(name: links.table) AS \(table: "l") JOIN \(destination) ON \(key) = \(column("l", links.target))"
            return (
                source, column("l", links.owner), links.position.map { [column("l", $0)] } ?? []
            )
        }
    }

    private func column(_ alias: String, _ name: String) -> SQLFragment { "\(table: alias).\(name: name)" }
}
