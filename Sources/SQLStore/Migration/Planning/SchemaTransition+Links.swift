import ContextCore

extension SchemaTransition {
    /// Returns the source of the rows of a join table.
    func change(of links: JoinTable) -> TableChange {
        var change = TableChange(table: table(named: links.name))
        for column in change.table.columns { change.sources[column.name] = .nothing }
        guard let (entity, slot) = end(of: links) else { return change }
        if let (filled, end) = filledLinks(entity.layout.properties[slot], of: entity.layout) {
            let rows = Rows(
                table: filled.table, owner: PendingLinks.owner, target: PendingLinks.target,
                position: PendingLinks.positionColumn)
            change.additionalRows = [(filled.table, query(rows, links, end == .inverse, change.table))]
            return change
        }
        if let older = olderProperty(slot, of: entity) {
            copyLinks(of: older, into: links, isReversed: false, &change)
        } else if let inverse = inverse(of: slot, entity), let older = olderProperty(inverse.1, of: inverse.0)
        {
            copyLinks(of: older, into: links, isReversed: true, &change)
        }
        return change
    }

    /// Returns the relationship that lists the links of a join table.
    func end(of links: JoinTable) -> (EntityMapping, Int)? {
        for entity in new.entities {
            for property in entity.layout.properties {
                guard case .links(let end)? = entity.collections[property.slot], end.table == links.name,
                    end.owner == links.owner, property.relationship?.sourceIndex == entity.layout.index
                else { continue }
                return (entity, property.slot)
            }
        }
        return nil
    }

    func inverse(of slot: Int, _ entity: EntityMapping) -> (EntityMapping, Int)? {
        guard let relationship = entity.layout.properties[slot].relationship,
            let inverse = relationship.inverseSlot
        else { return nil }
        return (new.entities[relationship.destinationIndex], inverse)
    }

    /// Copies the links of an older relationship.
    ///
    /// - Parameter isReversed: Whether the older relationship is that of the inverse, which doesn't list the links.
    private func copyLinks(
        of older: (entity: EntityMapping, property: PropertyLayout), into links: JoinTable, isReversed: Bool,
        _ change: inout TableChange
    ) {
        let (owner, target) = isReversed ? (links.target, links.owner) : (links.owner, links.target)
        switch older.entity.collections[older.property.slot] {
        case .links(let end): reuseJoinTable(of: end, of: older, (owner, target), links, isReversed, &change)
        case .children(let children):
            let rows: Rows = Rows(
                table: children.table, owner: children.reference, target: StoreNames.key,
                position: children.position)
            change.additionalRows = [(rows.table, query(rows, links, isReversed, change.table))]
        case nil:
            guard let place = older.property.columns.first else { return }
            let rows = Rows(
                table: older.entity.table, owner: StoreNames.key, target: older.entity.columns[place].name,
                position: nil)
            change.additionalRows = [(rows.table, query(rows, links, isReversed, change.table))]
        }
    }

    /// Keeps an older join table as a whole.
    private func reuseJoinTable(
        of end: CollectionMapping.Links, of older: (entity: EntityMapping, property: PropertyLayout),
        _ ends: (owner: String, target: String), _ links: JoinTable, _ isReversed: Bool,
        _ change: inout TableChange
    ) {
        change.origin = oldTables[end.table]
        change.isSuccessor = true
        change.sources[ends.owner] = .column(end.owner)
        change.sources[ends.target] = .column(end.target)
        var inverse: CollectionMapping?
        if let relationship = older.property.relationship, let slot = relationship.inverseSlot {
            inverse = old.entities[relationship.destinationIndex].collections[slot]
        }
        var back: String?
        if case .links(let other)? = inverse { back = other.position }
        let (position, inversePosition) = isReversed ? (back, end.position) : (end.position, back)
        let (listing, other) = isReversed ? (end.target, end.owner) : (end.owner, end.target)
        if let name = links.position {
            change.sources[name] =
                position.map(ColumnSource.column)
                ?? .expression(Self.positionExpression(by: "\(name: listing)", then: "\(name: other)"))
        }
        if let name = links.inversePosition {
            change.sources[name] =
                inversePosition.map(ColumnSource.column)
                ?? .expression(Self.positionExpression(by: "\(name: other)", then: "\(name: listing)"))
        }
    }

    /// The columns of an older table whose rows contain one link each.
    private struct Rows {
        let table: String
        let owner: String
        let target: String
        let position: String?
    }

    private func query(
        _ rows: Rows, _ links: JoinTable, _ isReversed: Bool, _ table: TableSchema
    ) -> SQLFragment {
        let (owner, target) = isReversed ? (rows.target, rows.owner) : (rows.owner, rows.target)
        let values = table.columns.map { column -> SQLFragment in
            switch column.name {
            case links.owner: "\(name: owner)"
            case links.target: "\(name: target)"
            case links.position:
                if let position = rows.position, !isReversed {
                    "\(name: position)"
                } else {
                    Self.positionExpression(by: "\(name: owner)", then: "\(name: target)")
                }
            default:
                if let position = rows.position, isReversed {
                    "\(name: position)"
                } else {
                    Self.positionExpression(by: "\(name: target)", then: "\(name: owner)")
                }
            }
        }
        let reference = rows.owner == StoreNames.key ? rows.target : rows.owner
        return "SELECT \(values.joined()) FROM \(name: rows.table) WHERE \(name: reference) IS NOT NULL"
    }
}
