import ContextCore

/// Reads the members of a relationship of the older model for a whole batch of objects.
struct RelatedObjectReader: Hashable {
    private let rows: OlderRows
    private let target: String
    private let lookup: Lookup

    /// How rows of the destination are found.
    private enum Lookup: Hashable {
        case column(String, of: String)
        case collection(CollectionMapping)
    }

    /// The members that were read.
    struct MemberBatch {
        /// The members of each object, by its key.
        var members: [Int64: [OlderObject]] = [:]
        /// The number of owners, counted from the first, whose members are complete.
        var complete: Int
    }

    /// The maximum number of rows for one batch, unless a single object has more members.
    static let maximumRows = 10_000

    /// Returns nil if the entity has no relationship of that name.
    init?(_ name: String, of entity: EntityMapping, in mapping: StoreMapping) {
        guard let property = entity.layout.property(named: name), let relationship = property.relationship
        else { return nil }
        if let collection = entity.collections[property.slot] {
            lookup = .collection(collection)
        } else if let column = property.columns.first {
            lookup = .column(entity.columns[column].name, of: entity.table)
        } else {
            return nil
        }
        rows = OlderRows(
            mapping, BackfillSource(index: relationship.destinationIndex, includesSubentities: true))
        target = mapping.entities[relationship.destinationIndex].table
    }

    /// - Parameter owners: The keys of the objects in order; at least one.
    func memberBatch(
        _ owners: [Int64], _ connection: any MigrationConnection
    ) throws(StoreError) -> MemberBatch {
        let found = try read(owners, limit: Self.maximumRows + 1, connection)
        guard found.count > Self.maximumRows, let cut = found.last?.owner else {
            return MemberBatch(members: members(found), complete: owners.count)
        }
        let complete = owners.prefix { $0 < cut }.count
        if complete == 0 {
            return MemberBatch(members: members(try read([cut], limit: nil, connection)), complete: 1)
        }
        return MemberBatch(members: members(found.filter { $0.owner < cut }), complete: complete)
    }

    private func members(_ found: [(owner: Int64, object: OlderObject?)]) -> [Int64: [OlderObject]] {
        var members: [Int64: [OlderObject]] = [:]
        for case (let owner, let object?) in found { members[owner, default: []].append(object) }
        return members
    }

    // MARK: The query

    private func read(
        _ owners: [Int64], limit: Int?, _ connection: any MigrationConnection
    ) throws(StoreError) -> [(owner: Int64, object: OlderObject?)] {
        let text = query(owners, limit: limit, connection.migrationDialect.dialect)
        return try connection.rows(text, [.key] + rows.types).map { row in
            (Int64(row[0].number), rows.object(row.dropFirst()))
        }
    }

    func query(_ owners: [Int64], limit: Int?, _ dialect: SQLDialect) -> SQLText {
        let renderer = SQLRenderer(dialect)
        // Every dialect renders columns and CASE expressions.
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

    /// The FROM clause, the owner's key, and the sort terms before the members' keys.
    private var parts: (source: SQLFragment, owner: SQLFragment, order: [SQLFragment]) {
        let destination: SQLFragment = "\(name: target) AS \(table: "d")"
        let key = column("d", StoreNames.key)
        switch lookup {
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
