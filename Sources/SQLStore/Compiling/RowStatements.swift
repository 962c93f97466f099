/// The statements that write single rows; a connection prepares each once and runs it for many rows.
package struct RowStatements {
    private let dialect: SQLDialect

    package init(_ dialect: SQLDialect) {
        self.dialect = dialect
    }

    /// Returns an INSERT, whose parameters are the key, the version, the entity number if entities share the table, and the columns.
    ///
    /// ```sql
    /// INSERT INTO "game" ("_id", "_version", "title") VALUES (?1, ?2, ?3)
    /// ```
    package func insertion(into entity: EntityMapping, positions: [String] = [], rows: Int = 1) -> SQLText {
        let (names, lines) = insertedRows(entity, positions, rows)
        return text("INSERT INTO \(stored: entity.table) (\(names)) VALUES \(lines)")
    }

    /// Returns an INSERT with a clause for colliding rows; its parameters are those of ``insertion(into:positions:rows:)``.
    ///
    /// ```sql
    /// INSERT INTO "player" AS t ("_id", "_version", "email") VALUES (?1, ?2, ?3) ON CONFLICT …
    /// ```
    package func upsert(into entity: EntityMapping, rows: Int, _ clause: UpsertClause) -> SQLText {
        let (names, lines) = insertedRows(entity, [], rows)
        return text(
            """
            INSERT INTO \(stored: entity.table) AS \(UpsertClause.alias) (\(names)) VALUES \(lines) \
            \(clause.fragment(dialect))
            """)
    }

    /// Returns the names of the columns of an INSERT, and the placeholders of its rows.
    private func insertedRows(
        _ entity: EntityMapping, _ positions: [String], _ rows: Int
    ) -> (names: SQLFragment, lines: SQLFragment) {
        var columns: [(String, SQLType)] = [(StoreNames.key, .key), (StoreNames.version, .integer(bits: 64))]
        if entity.hasEntityColumn { columns.append((StoreNames.entity, .integer(bits: 32))) }
        columns += entity.columns.map { ($0.name, $0.type) }
        columns += positions.map { ($0, .integer(bits: 64)) }
        let names = columns.map { "\(name: $0.0)" as SQLFragment }.joined()
        let places = columns.map { "\(.parameter($0.1))" as SQLFragment }.joined()
        return (names, Array(repeating: "(\(places))" as SQLFragment, count: rows).joined())
    }

    /// Returns an UPDATE of a row with a given version; its parameters are the columns, the new version, the key, the old version.
    ///
    /// ```sql
    /// UPDATE "game" SET "title" = ?1, "_version" = ?2 WHERE "_id" = ?3 AND "_version" = ?4
    /// ```
    package func update(of entity: EntityMapping, columns: [Int]) -> SQLText {
        let changed = columns.map { (entity.columns[$0].name, entity.columns[$0].type) }
        let sets = (changed + [(StoreNames.version, .integer(bits: 64))])
            .map { "\(name: $0.0) = \(.parameter($0.1))" as SQLFragment }.joined()
        return text(
            "UPDATE \(stored: entity.table) SET \(sets) WHERE \(equals(StoreNames.key)) AND \(equals(StoreNames.version))"
        )
    }

    /// Returns the statement of ``update(of:columns:)`` in a form that fails if no row has the key and version.
    ///
    /// ```sql
    /// WITH changed AS (UPDATE … RETURNING 1) SELECT 1 / count(*) FROM changed
    /// ```
    package func strictUpdate(of entity: EntityMapping, columns: [Int]) -> SQLText {
        let changed = columns.map { (entity.columns[$0].name, entity.columns[$0].type) }
        let sets = (changed + [(StoreNames.version, .integer(bits: 64))])
            .map { "\(name: $0.0) = \(.parameter($0.1))" as SQLFragment }.joined()
        return text(
            """
            WITH changed AS (UPDATE \(stored: entity.table) SET \(sets) WHERE \(equals(StoreNames.key)) \
            AND \(equals(StoreNames.version)) RETURNING 1) SELECT 1 / count(*) FROM changed
            """)
    }

    /// Returns the DELETE of a row by key, or by key and version.
    package func deletion(from entity: EntityMapping, checksVersion: Bool) -> SQLText {
        checksVersion
            ? text(
                "DELETE FROM \(stored: entity.table) WHERE \(equals(StoreNames.key)) AND \(equals(StoreNames.version))"
            )
            : text("DELETE FROM \(stored: entity.table) WHERE \(equals(StoreNames.key))")
    }

    /// Returns the DELETE of rows with consecutive keys; its parameters are the first key, the last key, and the version of all rows.
    ///
    /// ```sql
    /// DELETE FROM "game" WHERE "_id" BETWEEN ?1 AND ?2 AND "_version" = ?3
    /// ```
    package func deletionOfRun(from entity: EntityMapping, checksVersion: Bool) -> SQLText {
        var sql: SQLFragment = """
            DELETE FROM \(stored: entity.table) WHERE \(name: StoreNames.key) BETWEEN \(.parameter(.key)) AND \(.parameter(.key))
            """
        if checksVersion { sql.append(" AND \(equals(StoreNames.version))") }
        return text(sql)
    }

    /// Returns the DELETE of all links of one owner.
    package func deletion(ofLinks links: CollectionMapping.Links) -> SQLText {
        text("DELETE FROM \(stored: links.table) WHERE \(equals(links.owner))")
    }

    /// Returns the DELETE of one link; its parameters are owner and target.
    package func removal(of links: CollectionMapping.Links) -> SQLText {
        text("DELETE FROM \(stored: links.table) WHERE \(equals(links.owner)) AND \(equals(links.target))")
    }

    /// Returns the statement that inserts a link, or moves it in an ordered relationship; its parameters are owner, target, position.
    package func linkUpsert(of links: CollectionMapping.Links) -> SQLText {
        guard let position = links.position else {
            return text(
                "INSERT INTO \(stored: links.table) (\(name: links.owner), \(name: links.target)) VALUES (\(.parameter(.key)), \(.parameter(.key))) ON CONFLICT DO NOTHING"
            )
        }
        return text(
            """
            INSERT INTO \(stored: links.table) (\(name: links.owner), \(name: links.target), \(name: position)) \
            VALUES (\(.parameter(.key)), \(.parameter(.key)), \(.parameter(.integer(bits: 64)))) \
            ON CONFLICT (\(name: links.owner), \(name: links.target)) \
            DO UPDATE SET \(name: position) = excluded.\(name: position)
            """)
    }

    /// Returns the statement that changes the position of a member; its parameters are position, owner, target.
    package func positionUpdate(in positions: MemberPositions) -> SQLText {
        text(
            """
            UPDATE \(stored: positions.table) SET \(name: positions.position) = \(.parameter(.integer(bits: 64))) \
            WHERE \(equals(positions.owner)) AND \(equals(positions.target))
            """)
    }

    /// Returns the statement that sets the position of a row among its siblings; its parameters are position and key.
    package func positioning(_ column: String, of table: String) -> SQLText {
        text(
            """
            UPDATE \(stored: table) SET \(name: column) = \(.parameter(.integer(bits: 64))) \
            WHERE \(equals(StoreNames.key))
            """)
    }

    /// Returns the statement that clears the position of a row among its siblings; its parameter is the key.
    package func positionRemoval(of children: CollectionMapping.Children, position: String) -> SQLText {
        text(
            """
            UPDATE \(stored: children.table) SET \(name: position) = NULL \
            WHERE \(equals(StoreNames.key)) AND \(name: position) IS NOT NULL
            """)
    }

    /// Returns the statement that inserts the mirrored link of a relationship that is its own inverse; its parameters are owner, target.
    package func mirroredLinkInsertion(of links: CollectionMapping.Links) -> SQLText {
        text(
            """
            INSERT INTO \(stored: links.table) (\(name: links.owner), \(name: links.target)) \
            VALUES (\(.parameter(.key)), \(.parameter(.key))) ON CONFLICT DO NOTHING
            """)
    }

    /// Returns an UPDATE of all rows whose keys a query returns, which returns these keys; its parameters are the columns, then the
    /// query's values.
    ///
    /// ```sql
    /// UPDATE "game" SET "title" = ?1, "_version" = "_version" + 1 WHERE "_id" IN (SELECT …) RETURNING "_id"
    /// ```
    package func update(
        of entity: EntityMapping, values: [(column: Int, SQLBinding)], where keys: SQLFragment
    ) -> SQLText {
        let sets =
            values.map { "\(name: entity.columns[$0.column].name) = \($0.1)" as SQLFragment }
            + ["\(name: StoreNames.version) = \(name: StoreNames.version) + 1"]
        var sql: SQLFragment = """
            UPDATE \(stored: entity.table) SET \(sets.joined()) WHERE \(name: StoreNames.key) IN (\(keys)) \
            RETURNING \(name: StoreNames.key)
            """
        if entity.hasEntityColumn { sql.append(", \(name: StoreNames.entity)") }
        return text(sql)
    }

    /// Returns the statement that inserts or replaces an external value; its parameters are the row's key, its version, the value.
    package func externalValueUpsert(of external: ExternalColumn, _ type: SQLType) -> SQLText {
        text(
            """
            INSERT INTO \(stored: external.table) (\(externalNames)) \
            VALUES (\(.parameter(.key)), \(.parameter(.integer(bits: 64))), \(.parameter(type))) \(externalUpsert)
            """)
    }

    /// The columns of a table of external values.
    package var externalNames: SQLFragment {
        "\(name: StoreNames.owner), \(name: StoreNames.stamp), \(name: StoreNames.externalValue)"
    }

    /// The clause that replaces the external value that a row already has.
    package var externalUpsert: SQLFragment {
        """
        ON CONFLICT (\(name: StoreNames.owner)) DO UPDATE SET \(name: StoreNames.stamp) = excluded.\(name: StoreNames.stamp), \
        \(name: StoreNames.externalValue) = excluded.\(name: StoreNames.externalValue)
        """
    }

    /// Returns the statement that sets the stamp of rows whose value is stored outside.
    ///
    /// - Parameter keys: The condition after the name of the key column.
    package func stampUpdate(_ external: ExternalColumn, of entity: EntityMapping, where keys: SQLFragment)
        -> SQLText
    {
        text(
            """
            UPDATE \(stored: entity.table) SET \(name: external.stamp) = \(name: StoreNames.version) \
            WHERE \(name: StoreNames.key) \(keys)
            """)
    }

    /// Returns the statement that clears the stamp of rows whose value is no longer stored outside.
    package func stampRemoval(_ external: ExternalColumn, of entity: EntityMapping, where keys: SQLFragment)
        -> SQLText
    {
        text(
            """
            UPDATE \(stored: entity.table) SET \(name: external.stamp) = NULL \
            WHERE \(name: StoreNames.key) \(keys) AND \(name: external.stamp) IS NOT NULL
            """)
    }

    /// Returns the DELETE of the external values of rows.
    package func removal(of external: ExternalColumn, where keys: SQLFragment) -> SQLText {
        text("DELETE FROM \(stored: external.table) WHERE \(name: StoreNames.owner) \(keys)")
    }

    /// Returns the query for another row with the same values; its parameters are the key of the row itself, then the values.
    package func search(in entity: EntityMapping, columns: [Int], entities: [Int]?) -> SQLText {
        var sql: SQLFragment = """
            SELECT \(name: StoreNames.key) FROM \(stored: entity.table) WHERE \(name: StoreNames.key) <> \(.parameter(.key))
            """
        for column in columns {
            sql.append(
                " AND \(name: entity.columns[column].name) = \(.parameter(entity.columns[column].type))")
        }
        if let entities {
            let numbers = entities.map { "\(number: $0)" as SQLFragment }.joined()
            sql.append(" AND \(name: StoreNames.entity) IN (\(numbers))")
        }
        return text(sql)
    }

    private func equals(_ column: String) -> SQLFragment {
        "\(name: column) = \(.parameter(.key))"
    }

    private func text(_ fragment: SQLFragment) -> SQLText {
        SQLText(fragment, dialect)
    }
}
