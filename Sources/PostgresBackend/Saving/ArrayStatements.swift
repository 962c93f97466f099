#if Postgres
import ContextCore
import SQLStore

/// The statements that write many rows at once, with an array parameter per column.
struct ArrayStatements {
    let entity: EntityMapping
    let dialect: SQLDialect

    /// Returns the statement that inserts rows (parameters: keys, versions, then the columns).
    ///
    /// ```sql
    /// INSERT INTO "game" ("_id", "_version", "title") SELECT * FROM unnest($1::int8[], $2::int8[], $3::text[])
    /// ```
    func insertion() -> SQLText {
        let (names, rows) = insertedRows()
        return text("INSERT INTO \(stored: entity.table) (\(names)) \(rows)")
    }

    /// Returns the statement that inserts rows, with a clause for colliding rows (parameters: as ``insertion()``).
    func upsert(_ clause: UpsertClause) -> SQLText {
        let (names, rows) = insertedRows()
        return text(
            """
            INSERT INTO \(stored: entity.table) AS \(UpsertClause.alias) (\(names)) \(rows) \
            \(clause.fragment(dialect))
            """)
    }

    /// Returns the names of the columns of an INSERT, and the query of its rows.
    private func insertedRows() -> (names: SQLFragment, rows: SQLFragment) {
        let own = entity.columns.map { ($0.name, PostgresType($0.type)) }
        let columns = [(StoreNames.key, PostgresType.integer), (StoreNames.version, .integer)] + own
        var names = columns.map { "\(name: $0.0)" as SQLFragment }
        var selected: SQLFragment = "*"
        if entity.hasEntityColumn {
            names.append("\(name: StoreNames.entity)")
            selected = "*, \(number: entity.number)"
        }
        return (names.joined(), "SELECT \(selected) FROM \(Self.unnest(columns.map(\.1)))")
    }

    /// Returns the statement that updates rows with the expected versions.
    ///
    /// Its parameters are the keys, the old versions, the new versions, then the columns.
    func update(columns: [Int]) -> SQLText {
        let changed = columns.map { entity.columns[$0] }
        let sets = changed.enumerated().map {
            "\(name: $1.name) = u.\(Self.elementColumn($0 + 3))" as SQLFragment
        }
        let types = [PostgresType.integer, .integer, .integer] + changed.map { PostgresType($0.type) }
        return text(
            """
            UPDATE \(stored: entity.table) AS t SET \((["\(name: StoreNames.version) = u.c2"] + sets).joined()) \
            FROM \(Self.unnest(types)) AS u (\(Self.elementColumns(types.count))) \
            WHERE t.\(name: StoreNames.key) = u.c0 AND t.\(name: StoreNames.version) = u.c1
            """)
    }

    /// Returns the statement that writes externally stored values (parameters: keys, versions, values).
    func externalValueUpsert(of external: ExternalColumn, column: Int) -> SQLText {
        let rows = RowStatements(dialect)
        let types = [PostgresType.integer, .integer, PostgresType(entity.columns[column].type)]
        return text(
            """
            INSERT INTO \(stored: external.table) (\(rows.externalNames)) \
            SELECT * FROM \(Self.unnest(types)) \(rows.externalUpsert)
            """)
    }

    /// Returns the statement that deletes rows with the expected versions (parameters: keys, versions).
    func deletion() -> SQLText {
        text(
            """
            DELETE FROM \(stored: entity.table) AS t USING \(Self.unnest([.integer, .integer])) AS u (c0, c1) \
            WHERE t.\(name: StoreNames.key) = u.c0 AND t.\(name: StoreNames.version) = u.c1
            """)
    }

    /// Returns the statement that deletes rows which all have the same expected version (parameters: keys, the version).
    func deletionAtVersion() -> SQLText {
        text(
            """
            DELETE FROM \(stored: entity.table) WHERE \(name: StoreNames.key) = ANY (\(.parameter(.keys))) \
            AND \(name: StoreNames.version) = \(.parameter(.integer(bits: 64)))
            """)
    }

    /// Returns the statement that deletes rows of any version (parameters: keys).
    func deletionByKey() -> SQLText {
        text("DELETE FROM \(stored: entity.table) WHERE \(name: StoreNames.key) = ANY (\(.parameter(.keys)))")
    }

    /// Returns the query that finds other rows with the same values as given rows.
    ///
    /// Its parameters are the keys of the given rows, then the columns. Its result has the key of each given row, and the lowest key of
    /// another row with the same values.
    func search(columns: [Int], entities: [Int]?) -> SQLText {
        let compared = columns.map { entity.columns[$0] }
        let types = [PostgresType.integer] + compared.map { PostgresType($0.type) }
        var conditions = compared.enumerated().map {
            "t.\(name: $1.name) = u.\(Self.elementColumn($0 + 1))" as SQLFragment
        }
        conditions.append("t.\(name: StoreNames.key) <> u.c0")
        if let entities {
            let numbers = entities.map { "\(number: $0)" as SQLFragment }.joined()
            conditions.append("t.\(name: StoreNames.entity) IN (\(numbers))")
        }
        return text(
            """
            SELECT u.c0, min(t.\(name: StoreNames.key)) FROM \(Self.unnest(types)) AS u (\(Self.elementColumns(types.count))) \
            JOIN \(stored: entity.table) AS t ON \(conditions.joined(by: " AND ")) GROUP BY u.c0
            """)
    }

    // MARK: Links

    /// Returns the statement that deletes links, and returns the deleted ones (parameters: owners, targets).
    static func removal(of links: CollectionMapping.Links, _ dialect: SQLDialect) -> String {
        text(
            dialect,
            """
            DELETE FROM \(stored: links.table) AS t USING \(unnest([.integer, .integer])) AS u (c0, c1) \
            WHERE t.\(name: links.owner) = u.c0 AND t.\(name: links.target) = u.c1 RETURNING u.c0, u.c1
            """)
    }

    /// Returns the statement that inserts links, or moves them in an ordered relationship (parameters: owners, targets, positions).
    static func linkUpsert(of links: CollectionMapping.Links, _ dialect: SQLDialect) -> String {
        guard let position = links.position else { return mirroredLinkInsertion(of: links, dialect) }
        return text(
            dialect,
            """
            INSERT INTO \(stored: links.table) (\(name: links.owner), \(name: links.target), \(name: position)) \
            SELECT * FROM \(unnest([.integer, .integer, .integer])) \
            ON CONFLICT (\(name: links.owner), \(name: links.target)) \
            DO UPDATE SET \(name: position) = excluded.\(name: position)
            """)
    }

    /// Returns the statement that inserts links unless they exist (parameters: owners, targets).
    static func mirroredLinkInsertion(of links: CollectionMapping.Links, _ dialect: SQLDialect) -> String {
        text(
            dialect,
            """
            INSERT INTO \(stored: links.table) (\(name: links.owner), \(name: links.target)) \
            SELECT * FROM \(unnest([.integer, .integer])) ON CONFLICT DO NOTHING
            """)
    }

    /// Returns the statement that sets positions of existing members, and returns their owners and targets.
    ///
    /// Its parameters are the owners, targets and positions.
    static func positionUpdate(in positions: MemberPositions, _ dialect: SQLDialect) -> String {
        text(
            dialect,
            """
            UPDATE \(stored: positions.table) AS t SET \(name: positions.position) = u.c2 \
            FROM \(unnest([.integer, .integer, .integer])) AS u (c0, c1, c2) \
            WHERE t.\(name: positions.owner) = u.c0 AND t.\(name: positions.target) = u.c1 RETURNING u.c0, u.c1
            """)
    }

    /// Returns the statement that clears the positions of rows, and returns the keys of those that had one (parameters: keys).
    static func positionRemoval(
        of children: CollectionMapping.Children, position: String, _ dialect: SQLDialect
    )
        -> String
    {
        text(
            dialect,
            """
            UPDATE \(stored: children.table) SET \(name: position) = NULL \
            WHERE \(name: StoreNames.key) = ANY (\(.parameter(.keys))) AND \(name: position) IS NOT NULL \
            RETURNING \(name: StoreNames.key)
            """)
    }

    /// Returns the query of rows' positions in an ordered relationship (parameters: keys).
    static func positions(_ column: String, of table: String, _ dialect: SQLDialect) -> String {
        text(
            dialect,
            """
            SELECT \(name: StoreNames.key), \(name: column) FROM \(stored: table) \
            WHERE \(name: StoreNames.key) = ANY (\(.parameter(.keys))) AND \(name: column) IS NOT NULL
            """)
    }

    /// Returns the statement that sets rows' positions (parameters: keys, positions).
    static func positioning(_ column: String, of table: String, _ dialect: SQLDialect) -> String {
        text(
            dialect,
            """
            UPDATE \(stored: table) AS t SET \(name: column) = u.c1 FROM \(unnest([.integer, .integer])) AS u (c0, c1) \
            WHERE t.\(name: StoreNames.key) = u.c0
            """)
    }

    // MARK: Parts

    private static func unnest(_ types: [PostgresType]) -> SQLFragment {
        let arrays = types.map { "\(.parameter(.keys))::\($0.arrayName)" as SQLFragment }
        return "unnest(\(arrays.joined()))"
    }

    /// Returns the column name of an array's elements, which needs no quotes.
    private static func elementColumn(_ index: Int) -> SQLFragment { "c\(number: index)" }

    private static func elementColumns(_ count: Int) -> SQLFragment {
        (0..<count).map(elementColumn).joined()
    }

    private static func text(_ dialect: SQLDialect, _ fragment: SQLFragment) -> String {
        SQLText(fragment, dialect).sql
    }

    private func text(_ fragment: SQLFragment) -> SQLText { SQLText(fragment, dialect) }
}
#endif
