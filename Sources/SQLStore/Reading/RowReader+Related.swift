package import ContextCore

extension RowReader {
    /// Fetches the members of a relationship.
    package func related(_ plan: RelatedPlan) throws(StoreError) -> RelatedRows {
        let entity = mapping.entities[plan.entityIndex]
        let collection = try collection(entity, slot: plan.slot)
        guard let relationship = entity.layout.properties[plan.slot].relationship else {
            throw Self.unknownCollectionError(entity, slot: plan.slot)
        }
        switch collection {
        case .children(let children):
            guard plan.includesRows, let reference = relationship.inverseSlot else {
                let found = try links(plan, children.position) { statements.links(children) }
                return RelatedRows(found: found, of: plan.owners, rows: nil)
            }
            let selection = store.selections.selection(
                of: relationship.destinationIndex, defersExternalValues: defersExternalValues)
            return try self.children(children, plan, selection, linkedThrough: reference)
        case .links(let links):
            let found = try self.links(plan, links.position) { statements.links(links) }
            guard plan.includesRows else { return RelatedRows(found: found, of: plan.owners, rows: nil) }
            let targets = Set(found.map(\.target)).sorted()
            return RelatedRows(
                found: found, of: plan.owners,
                rows: try rows(targets, entityIndex: relationship.destinationIndex))
        }
    }

    /// Fetches a page of the members of one owner, in its order.
    package func members(_ plan: MemberPlan) throws(StoreError) -> [RelatedRows.Link] {
        let collection = try collection(mapping.entities[plan.entityIndex], slot: plan.slot)
        let isOrdered = collection.positions != nil
        let columns = try integers(statements.members(collection, plan), columns: isOrdered ? 2 : 1)
        return columns[0].indices.map { row in
            RelatedRows.Link(
                owner: plan.owner, target: columns[0][row], position: isOrdered ? columns[1][row] : 0)
        }
    }

    /// Returns the last position in the ordered list of each of many owners; none for an empty list.
    func lastPositions(
        of owners: [Int64], entityIndex: Int, slot: Int
    ) throws(StoreError) -> [Int64: Int64] {
        let entity = mapping.entities[entityIndex]
        guard case .children(let children) = try collection(entity, slot: slot),
            let position = children.position
        else { throw Self.unknownCollectionError(entity, slot: slot) }
        let sql = store.texts.text(.lastPositions(entityIndex: entityIndex, slot: slot)) {
            statements.lastPositions(children, position)
        }
        let columns = try integers(SQLText(sql, [.keys(owners)]), columns: 2)
        return Dictionary(uniqueKeysWithValues: zip(columns[0], columns[1]))
    }

    /// Returns the references in a column of the rows with these keys; none for a row without a reference.
    func references(
        in column: Int, of keys: [Int64], _ layout: EntityLayout
    ) throws(StoreError) -> [(key: Int64, target: Int64)] {
        let selection = SelectedColumns(mapping, entityIndex: layout.index, columns: [column])
        let rows = try rows(keys, selection, of: layout.index)
        return (0..<rows.count).compactMap { row in
            StoredRow(rows, row).reference(column).map { (rows.key(at: row), $0) }
        }
    }

    private func collection(_ entity: EntityMapping, slot: Int) throws(StoreError) -> CollectionMapping {
        if let collection = entity.collections[slot] { return collection }
        throw Self.unknownCollectionError(entity, slot: slot)
    }

    private static func unknownCollectionError(_ entity: EntityMapping, slot: Int) -> StoreError {
        StoreError(
            .unknownProperty,
            "\(entity.layout.name) has no to-many relationship at position \(slot) of its properties.")
    }

    private func links(
        _ plan: RelatedPlan, _ position: String?, otherwise spell: () -> SQLText
    ) throws(StoreError) -> [RelatedRows.Link] {
        let sql = store.texts.text(
            .links(entityIndex: plan.entityIndex, slot: plan.slot), otherwise: spell)
        return try links(sql, owners: plan.owners, hasPosition: position != nil)
    }

    // MARK: Checks

    /// Finds links whose two objects are both missing.
    package func orphanLinks(limit: Int) throws(StoreError) -> [OrphanLink] {
        try OrphanRowSearch(mapping, store.dialect).links(limit: limit, integers(_:columns:))
    }

    /// Finds external values that are inconsistent with their rows.
    package func externalValueMismatches(limit: Int) throws(StoreError) -> [ExternalValueMismatch] {
        try OrphanRowSearch(mapping, store.dialect)
            .externalValueMismatches(limit: limit, integers(_:columns:))
    }
}
