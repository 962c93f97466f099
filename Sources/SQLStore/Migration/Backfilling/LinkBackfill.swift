import ContextCore

/// Stores the members that a stage assigns to a relationship, batch by batch.
struct LinkBackfill {
    private let links: PendingLinks
    /// The older table of the relationship's destination, or nil if the destination has no older objects.
    private let table: String?
    /// The numbers of the older entities that can be members, or nil if all rows of the table can.
    private let numbers: [Int]?
    private let destinationName: String
    /// The older entities that have the relationship and stay in the newer model.
    private let owners: Set<String>
    private let dialect: SQLDialect

    init(_ links: PendingLinks, _ schema: SchemaTransition) {
        self.links = links
        dialect = schema.migrationDialect.dialect
        let destination = schema.new.entities[links.relationship.destinationIndex]
        destinationName = destination.layout.name
        func origins(of entity: EntityMapping) -> [EntityMapping] {
            entity.layout.familyIndices.compactMap { schema.origin(of: schema.new.entities[$0]) }
        }
        owners = Set(origins(of: links.entity).map(\.layout.name))
        let origins = origins(of: destination)
        table = origins.first?.table
        numbers = origins.first?.hasEntityColumn == true ? origins.map(\.number).sorted() : nil
    }

    /// One link to insert.
    struct Link {
        let owner: Int64
        let target: Int64
        let ordinal: Int
    }

    func write(_ objects: [MigratingObject], _ connection: any MigrationConnection) throws(StoreError) {
        let name = links.property.name
        let present = try present(Set(objects.flatMap { $0[keys: name] }), connection)
        var made: [Link] = []
        for object in objects where owners.contains(object.entityName) {
            var keys = object[keys: name].uniqued
            if object.newKeys[name] == nil {
                // Older members may belong to an entity that the migration removes.
                keys.removeAll { !present.contains($0) }
            }
            if let missing = keys.first(where: { !present.contains($0) }) {
                throw refusalError(
                    object, "would refer to object \(missing), which is not an existing \(destinationName)")
            }
            if !links.isToMany, keys.count > 1 {
                throw refusalError(
                    object, "is a to-one relationship, and the stage assigned \(keys.count) objects to it")
            }
            made += keys.enumerated().map { Link(owner: object.key, target: $1, ordinal: $0 + 1) }
        }
        if links.hasOneOwner { try checkOwners(made, connection) }
        try insert(made, connection)
    }

    private func refusalError(_ object: MigratingObject, _ problem: String) -> StoreError {
        refusalError("\(links.path) of object \(object.key) \(problem).")
    }

    private func refusalError(_ sentence: String) -> StoreError {
        StoreError(.migrationRefused, sentence, remedy: "Correct the stage.")
    }

    // MARK: Checks

    /// Returns those of the keys whose objects can be members.
    private func present(
        _ keys: Set<Int64>, _ connection: any MigrationConnection
    ) throws(StoreError) -> Set<Int64> {
        guard let table, !keys.isEmpty else { return [] }
        var condition = listed(StoreNames.key, keys, connection)
        if let numbers {
            condition.append(
                " AND \(name: StoreNames.entity) IN (\(numbers.map { "\(number: $0)" as SQLFragment }.joined()))"
            )
        }
        return try self.keys(
            "SELECT \(name: StoreNames.key) FROM \(name: table) WHERE \(condition)", connection)
    }

    /// Throws if a member that can have only one owner has several, in this batch or across batches.
    private func checkOwners(_ made: [Link], _ connection: any MigrationConnection) throws(StoreError) {
        if made.isEmpty { return }
        var taken = try keys(
            """
            SELECT \(name: PendingLinks.target) FROM \(name: links.table) \
            WHERE \(listed(PendingLinks.target, Set(made.map(\.target)), connection))
            """, connection)
        for link in made where !taken.insert(link.target).inserted {
            throw refusalError(
                "Two objects would refer to object \(link.target) by \(links.path), which allows only one.")
        }
    }

    private func listed(
        _ column: String, _ keys: Set<Int64>, _ connection: any MigrationConnection
    ) -> SQLFragment {
        "\(name: column) \(connection.migrationDialect.dialect.isAmongKeys("\(.keys(keys.sorted()))"))"
    }

    private func keys(
        _ sql: SQLFragment, _ connection: any MigrationConnection
    ) throws(StoreError) -> Set<Int64> {
        let rows = try connection.rows(SQLText(sql, connection.migrationDialect.dialect), [.key])
        return Set(rows.map { Int64($0[0].number) })
    }

    // MARK: Writing

    /// The number of links that one statement inserts.
    private static let linksPerStatement = 200

    private func insert(_ made: [Link], _ connection: any MigrationConnection) throws(StoreError) {
        for part in made.chunks(ofCount: Self.linksPerStatement) {
            try connection.run(insertion(Array(part)))
        }
    }

    func insertion(_ made: [Link]) -> SQLText {
        var rows = made.map { row($0.owner, $0.target, $0.ordinal) }
        // Each link also has a mirrored row, which may exist already.
        if links.isOwnInverse { rows += made.map { row($0.target, $0.owner, $0.ordinal) } }
        let columns = [PendingLinks.owner, PendingLinks.target, PendingLinks.positionColumn].map {
            "\(name: $0)" as SQLFragment
        }
        return SQLText(
            """
            INSERT INTO \(name: links.table) (\(columns.joined())) VALUES \(rows.joined()) \
            ON CONFLICT DO NOTHING
            """, dialect)
    }

    private func row(_ owner: Int64, _ target: Int64, _ ordinal: Int) -> SQLFragment {
        "(\(number: owner), \(number: target), \(number: Int64(ordinal) * ListPositions.gap))"
    }
}

extension [Int64] {
    /// The elements without duplicates, in the order of their first occurrence.
    fileprivate var uniqued: [Int64] {
        var seen: Set<Int64> = []
        return filter { seen.insert($0).inserted }
    }
}
