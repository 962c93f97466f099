import ContextCore

/// Gives a relationship what a stage says, batch by batch.
struct LinkFilling {
    private let links: PendingLinks
    /// The older table that the objects at the other end are in; nil where there are none.
    private let table: String?
    /// The numbers of the older entities whose objects may be at the other end; nil where all of the table may.
    private let numbers: [Int]?
    private let destinationName: String
    /// The older entities whose objects are still there afterwards, and have the relationship.
    private let owners: Set<String>
    private let dialect: SQLDialect

    init(_ links: PendingLinks, _ schema: SchemaTransition) {
        self.links = links
        dialect = schema.spelling.dialect
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

    /// One link to be made.
    struct Link {
        let owner: Int64
        let target: Int64
        let place: Int
    }

    func write(_ objects: [MigratingObject], _ connection: any MigrationConnection) throws(StoreError) {
        let name = links.property.name
        let present = try present(Set(objects.flatMap { $0[keys: name] }), connection)
        var made: [Link] = []
        for object in objects where owners.contains(object.entityName) {
            var keys = object[keys: name].uniqued
            if object.newKeys[name] == nil {
                // What it led to before may be gone from now on, as all of its entity is.
                keys.removeAll { !present.contains($0) }
            }
            if let missing = keys.first(where: { !present.contains($0) }) {
                throw refusal(object, "would lead to the object \(missing), which is no \(destinationName)")
            }
            if !links.isToMany, keys.count > 1 {
                throw refusal(object, "leads to one object, and was given \(keys.count)")
            }
            made += keys.enumerated().map { Link(owner: object.key, target: $1, place: $0 + 1) }
        }
        if links.hasOneOwner { try checkOwners(made, connection) }
        try insert(made, connection)
    }

    private func refusal(_ object: MigratingObject, _ words: String) -> StoreError {
        refusal("\(links.path) of the object \(object.key) \(words).")
    }

    private func refusal(_ sentence: String) -> StoreError {
        StoreError(.migrationRefused, sentence, remedy: "Correct the stage.")
    }

    // MARK: Checks

    /// The keys of which there are objects that may be at the other end.
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

    /// Refuses to let two objects lead to one that only one may lead to, whether in this batch or an earlier one.
    private func checkOwners(_ made: [Link], _ connection: any MigrationConnection) throws(StoreError) {
        if made.isEmpty { return }
        var taken = try keys(
            """
            SELECT \(name: PendingLinks.target) FROM \(name: links.table) \
            WHERE \(listed(PendingLinks.target, Set(made.map(\.target)), connection))
            """, connection)
        for link in made where !taken.insert(link.target).inserted {
            throw refusal("\(links.path) would lead to the object \(link.target) from two objects.")
        }
    }

    private func listed(
        _ column: String, _ keys: Set<Int64>, _ connection: any MigrationConnection
    ) -> SQLFragment {
        "\(name: column) \(connection.spelling.dialect.isAmongKeys("\(.keys(keys.sorted()))"))"
    }

    private func keys(
        _ sql: SQLFragment, _ connection: any MigrationConnection
    ) throws(StoreError) -> Set<Int64> {
        let rows = try connection.rows(SQLText(sql, connection.spelling.dialect), [.key])
        return Set(rows.map { Int64($0[0].number) })
    }

    // MARK: Writing

    /// How many links one statement makes.
    private static let linksOfStatement = 200

    private func insert(_ made: [Link], _ connection: any MigrationConnection) throws(StoreError) {
        for start in stride(from: 0, to: made.count, by: Self.linksOfStatement) {
            let part = made[start..<min(start + Self.linksOfStatement, made.count)]
            try connection.run(insertion(Array(part)))
        }
    }

    func insertion(_ made: [Link]) -> SQLText {
        var rows = made.map { row($0.owner, $0.target, $0.place) }
        // Each is also one the other way round, and may have been said from there.
        if links.isOwnInverse { rows += made.map { row($0.target, $0.owner, $0.place) } }
        let columns = [PendingLinks.owner, PendingLinks.target, PendingLinks.place].map {
            "\(name: $0)" as SQLFragment
        }
        return SQLText(
            """
            INSERT INTO \(name: links.table) (\(columns.joined())) VALUES \(rows.joined()) \
            ON CONFLICT DO NOTHING
            """, dialect)
    }

    private func row(_ owner: Int64, _ target: Int64, _ place: Int) -> SQLFragment {
        "(\(number: owner), \(number: target), \(number: Int64(place) * LinkEncoding.gap))"
    }
}

extension [Int64] {
    /// Each once, where it is first.
    fileprivate var uniqued: [Int64] {
        var seen: Set<Int64> = []
        return filter { seen.insert($0).inserted }
    }
}
