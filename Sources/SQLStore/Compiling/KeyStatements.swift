package import ContextCore

/// The queries that fetch rows by their keys or by the keys of their owners.
package struct KeyStatements {
    private let mapping: StoreMapping
    private let dialect: SQLDialect

    package init(_ mapping: StoreMapping, _ dialect: SQLDialect) {
        self.mapping = mapping
        self.dialect = dialect
    }

    /// Returns the query for the row of one key.
    ///
    /// ```sql
    /// SELECT "_id", "_version", "title" FROM "game" WHERE "_id" = ?1
    /// ```
    package func row(_ selection: SelectedColumns, of entityIndex: Int) -> SQLText {
        text(
            "\(rows(selection, of: entityIndex))\(whereClause(entityIndex)) \(name: StoreNames.key) = \(.parameter(.key))"
        )
    }

    /// Returns the query for the rows of many keys, which are bound as one value.
    ///
    /// If the dialect has a row-gathering function, the statement uses it.
    package func rows(_ selection: SelectedColumns, of entityIndex: Int) -> SQLText {
        text(
            """
            \(rows(selection, of: entityIndex, isGathered: true))\(whereClause(entityIndex)) \(name: StoreNames.key) \
            \(isAmongKeys)
            """)
    }

    /// Returns the query that counts the rows of an entity and its subentities among many keys.
    package func count(of entityIndex: Int) -> SQLText {
        let entity = mapping.entities[entityIndex]
        return text(
            """
            SELECT count(*) FROM \(stored: entity.table)\(whereClause(entityIndex)) \(name: StoreNames.key) \
            \(isAmongKeys)
            """)
    }

    /// Returns the query for the members of many owners of a one-to-many relationship, with their positions if it is ordered.
    ///
    /// This query and the queries for links have no ORDER BY, because the reader sorts cheaply, and a server would sort before it
    /// sends the first row. If the dialect has a row-gathering function, the statement uses it.
    ///
    /// - Parameter owners: The SQL of the owners' keys, by default a parameter.
    package func rows(
        _ children: CollectionMapping.Children, _ selection: SelectedColumns,
        of owners: SQLFragment = "\(.parameter(.keys))"
    ) -> SQLText {
        rows(children, selection, where: dialect.isAmongKeys(owners))
    }

    /// Returns the query for the members of all owners of a one-to-many relationship.
    package func rowsOfAll(
        _ children: CollectionMapping.Children, _ selection: SelectedColumns
    ) -> SQLText {
        rows(children, selection, where: "IS NOT NULL")
    }

    private func rows(
        _ children: CollectionMapping.Children, _ selection: SelectedColumns, where condition: SQLFragment
    ) -> SQLText {
        let columns = selection.fragments + Self.names([children.position].compactMap(\.self))
        return text(
            """
            \(select(columns, from: children.table, isGathered: true)) WHERE \(name: children.reference) \
            \(condition)
            """)
    }

    /// Returns the cached SQL for the members of all owners or of many owners, as a plan requires.
    package func rows(
        _ children: CollectionMapping.Children, _ selection: SelectedColumns, _ plan: RelatedPlan,
        ofAllOwners isOfAll: Bool, from texts: StatementTexts
    ) -> String {
        let (entity, slot) = (plan.entityIndex, plan.slot)
        let defers = selection.defersExternalValues
        return isOfAll
            ? texts.text(.allChildren(entityIndex: entity, slot: slot, defersExternalValues: defers)) {
                rowsOfAll(children, selection)
            }
            : texts.text(.children(entityIndex: entity, slot: slot, defersExternalValues: defers)) {
                rows(children, selection)
            }
    }

    /// Returns the query that counts rows without an owner, up to the bound limit.
    package func ownerless(_ children: CollectionMapping.Children) -> SQLText {
        text(
            """
            SELECT count(*) FROM \
            (SELECT 1 FROM \(stored: children.table) WHERE \(name: children.reference) IS NULL \
            LIMIT \(.parameter(.integer(bits: 64)))) AS \(name: "ownerless")
            """)
    }

    /// Returns the query for the links of many owners of a one-to-many relationship: owner, key, and position if it is ordered.
    ///
    /// If the dialect has a row-gathering function, the statement uses it.
    package func links(_ children: CollectionMapping.Children) -> SQLText {
        links([children.reference, StoreNames.key], children.position, from: children.table)
    }

    /// Returns the query for the links of many owners of a many-to-many relationship: owner, target, and position if it is ordered.
    package func links(_ links: CollectionMapping.Links) -> SQLText {
        self.links([links.owner, links.target], links.position, from: links.table)
    }

    /// Returns the query for the last position in the list of each of many owners: owner and position.
    ///
    /// ```sql
    /// SELECT "game_id", max(coalesce("game_order", 0)) FROM "round" WHERE "game_id" IN (…) GROUP BY "game_id"
    /// ```
    package func lastPositions(_ children: CollectionMapping.Children, _ position: String) -> SQLText {
        let owner: SQLFragment = "\(name: children.reference)"
        return text(
            """
            SELECT \(owner), max(\(place(position))) FROM \(stored: children.table) WHERE \(owner) \(isAmongKeys) \
            GROUP BY \(owner)
            """)
    }

    /// Returns the query for a page of one owner's members: key, and position if the relationship is ordered.
    ///
    /// ```sql
    /// SELECT "_id", coalesce("game_order", 0) FROM "round" WHERE "game_id" = ?1 AND (coalesce("game_order", 0) > ?2 OR
    /// coalesce("game_order", 0) = ?2 AND "_id" > ?3) ORDER BY coalesce("game_order", 0), "_id" LIMIT ?4
    /// ```
    package func members(_ collection: CollectionMapping, _ plan: MemberPlan) -> SQLText {
        switch collection {
        case .children(let children):
            members([children.reference, StoreNames.key], children.position, from: children.table, plan)
        case .links(let links):
            members([links.owner, links.target], links.position, from: links.table, plan)
        }
    }

    private func members(
        _ ends: [String], _ position: String?, from table: String, _ plan: MemberPlan
    ) -> SQLText {
        func number(_ value: Int64) -> SQLFragment { "\(.value(.int(value), .key))" }
        let key: SQLFragment = "\(name: ends[1])"
        let place: SQLFragment? = position.map(place)
        var sql: SQLFragment = "SELECT \([key, place].compactMap(\.self).joined()) FROM \(stored: table)"
        sql.append(" WHERE \(name: ends[0]) = \(number(plan.owner))")
        switch plan.bound {
        case nil: break
        case .after(let start, let first):
            let isAfter: SQLFragment = "\(key) > \(number(first))"
            sql.append(
                place.map {
                    " AND (\($0) > \(number(start)) OR \($0) = \(number(start)) AND \(isAfter))"
                } ?? " AND \(isAfter)")
        case .before(let end, let last):
            let isBefore: SQLFragment = "\(key) < \(number(last))"
            sql.append(
                place.map {
                    " AND (\($0) < \(number(end)) OR \($0) = \(number(end)) AND \(isBefore))"
                } ?? " AND \(isBefore)")
        }
        let direction: SQLFragment = if case .before? = plan.bound { " DESC" } else { "" }
        let order = [place, key].compactMap(\.self).map { "\($0)\(direction)" as SQLFragment }
        sql.append(" ORDER BY \(order.joined()) LIMIT \(.rows(plan.limit))")
        return text(sql)
    }

    /// Returns a position, which may be null in a row that another program wrote, and then counts as 0, as in the queries of all members.
    private func place(_ position: String) -> SQLFragment { "coalesce(\(name: position), \(number: 0))" }

    private func links(_ ends: [String], _ position: String?, from table: String) -> SQLText {
        let columns = Self.names(ends + [position].compactMap(\.self))
        return text("\(select(columns, from: table, isGathered: true)) WHERE \(name: ends[0]) \(isAmongKeys)")
    }

    /// Returns the query for the keys of an entity's own rows that refer to one of many keys.
    package func referring(_ column: Int, of entityIndex: Int) -> SQLText {
        let entity = mapping.entities[entityIndex]
        var sql: SQLFragment = """
            SELECT \(name: StoreNames.key) FROM \(stored: entity.table) WHERE \(name: entity.columns[column].name) \
            \(isAmongKeys)
            """
        if entity.hasEntityColumn { sql.append(" AND \(name: StoreNames.entity) = \(number: entity.number)") }
        sql.append(" ORDER BY \(name: StoreNames.key)")
        return text(sql)
    }

    private func rows(
        _ selection: SelectedColumns, of entityIndex: Int, isGathered: Bool = false
    ) -> SQLFragment {
        select(selection.fragments, from: mapping.entities[entityIndex].table, isGathered: isGathered)
    }

    private static func names(_ columns: [String]) -> [SQLFragment] { columns.map { "\(name: $0)" } }

    private func select(_ columns: [SQLFragment], from table: String, isGathered: Bool) -> SQLFragment {
        let values = columns.joined()
        let result =
            isGathered && dialect.supportsGathering(columns.count) ? dialect.gatheringCall(values) : values
        return "SELECT \(result) FROM \(stored: table)"
    }

    private var isAmongKeys: SQLFragment { dialect.isAmongKeys("\(.parameter(.keys))") }

    /// Returns WHERE, with a condition that excludes rows of other entities.
    private func whereClause(_ entityIndex: Int) -> SQLFragment {
        let entity = mapping.entities[entityIndex]
        guard entity.hasEntityColumn, entity.layout.rootIndex != entityIndex else { return " WHERE" }
        let numbers = entity.layout.familyIndices.map {
            "\(number: mapping.entities[$0].number)" as SQLFragment
        }
        return " WHERE \(name: StoreNames.entity) IN (\(numbers.joined())) AND"
    }

    private func text(_ fragment: SQLFragment) -> SQLText {
        SQLText(fragment, dialect)
    }
}
