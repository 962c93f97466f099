package import ContextCore

/// The queries that find rows by their keys, or by those of their owners.
package struct KeyStatements {
    private let mapping: StoreMapping
    private let dialect: SQLDialect

    package init(_ mapping: StoreMapping, _ dialect: SQLDialect) {
        self.mapping = mapping
        self.dialect = dialect
    }

    /// The row of one key.
    ///
    /// ```sql
    /// SELECT "_id", "_version", "title" FROM "game" WHERE "_id" = ?1
    /// ```
    package func row(_ selection: SelectedColumns, of entityIndex: Int) -> SQLText {
        text(
            "\(rows(selection, of: entityIndex))\(keyword(entityIndex)) \(name: StoreNames.key) = \(.place(.key))"
        )
    }

    /// The rows of many keys, which are bound as one value; gathered where the dialect does that.
    package func rows(_ selection: SelectedColumns, of entityIndex: Int) -> SQLText {
        text(
            """
            \(rows(selection, of: entityIndex, isGathered: true))\(keyword(entityIndex)) \(name: StoreNames.key) \
            \(isAmongKeys)
            """)
    }

    /// How many rows of an entity and its subentities have one of many keys.
    package func count(of entityIndex: Int) -> SQLText {
        let entity = mapping.entities[entityIndex]
        return text(
            """
            SELECT count(*) FROM \(stored: entity.table)\(keyword(entityIndex)) \(name: StoreNames.key) \
            \(isAmongKeys)
            """)
    }

    /// The rows of many owners of a one-to-many relationship; behind a row's columns comes its position, where there is one.
    ///
    /// They come as the database finds them, as all links do: to put them in order is little work for who has them, and a server would
    /// do it before it sends the first. They are gathered where the dialect does that.
    ///
    /// - Parameter owners: The owners' keys, where they are not bound.
    package func rows(
        _ children: CollectionMapping.Children, _ selection: SelectedColumns,
        of owners: SQLFragment = "\(.place(.keys))"
    ) -> SQLText {
        rows(children, selection, where: dialect.isAmongKeys(owners))
    }

    /// The rows of all owners, likewise.
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

    /// The text of either, for what a plan asks.
    package func rows(
        _ children: CollectionMapping.Children, _ selection: SelectedColumns, _ plan: RelatedPlan,
        ofAll isOfAll: Bool, from texts: StatementTexts
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

    /// How many rows have no owner; nobody counts further than to the number that is bound.
    package func ownerless(_ children: CollectionMapping.Children) -> SQLText {
        text(
            """
            SELECT count(*) FROM \
            (SELECT 1 FROM \(stored: children.table) WHERE \(name: children.reference) IS NULL \
            LIMIT \(.place(.integer(bits: 64)))) AS \(name: "ownerless")
            """)
    }

    /// The links of many owners of a one-to-many relationship: owner, key, position where there is one; gathered where the dialect
    /// does that.
    package func links(_ children: CollectionMapping.Children) -> SQLText {
        links([children.reference, StoreNames.key], children.position, from: children.table)
    }

    /// The links of many owners of a many-to-many relationship: owner, target, position where there is one; gathered likewise.
    package func links(_ links: CollectionMapping.Links) -> SQLText {
        self.links([links.owner, links.target], links.position, from: links.table)
    }

    private func links(_ ends: [String], _ position: String?, from table: String) -> SQLText {
        let columns = Self.names(ends + [position].compactMap(\.self))
        return text("\(select(columns, from: table, isGathered: true)) WHERE \(name: ends[0]) \(isAmongKeys)")
    }

    /// The keys of an entity's own rows in which a reference leads to one of many keys.
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
        let answer = isGathered && dialect.gathers(columns.count) ? dialect.gathered(values) : values
        return "SELECT \(answer) FROM \(stored: table)"
    }

    private var isAmongKeys: SQLFragment { dialect.isAmongKeys("\(.place(.keys))") }

    /// WHERE, and what keeps rows of other entities out.
    private func keyword(_ entityIndex: Int) -> SQLFragment {
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
