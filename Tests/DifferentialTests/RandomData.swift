import ContextCore

/// A generator of change sets for a model: first insertions, then all kinds of changes.
struct RandomData {
    let model: ObjectModel
    var values: RandomValues
    /// The keys of all rows with their entities, by tree; some of the rows are already deleted.
    private(set) var keys: [Int: [(key: Int64, entityIndex: Int)]] = [:]
    private var nextKey: Int64 = 1
    /// The values of unique columns in the first rows, which must not collide; nil if collisions are wanted.
    private var used: Set<[StoredValue]>? = []

    init(_ model: ObjectModel, _ random: SeededGenerator) {
        self.model = model
        values = RandomValues(random: random)
    }

    /// Returns a key of an entity or of one of its subentities; nil if there is none.
    mutating func key(of entityIndex: Int) -> Int64? {
        let layout = model.layouts[entityIndex]
        let known = (keys[layout.rootIndex] ?? []).filter { layout.familyIndices.contains($0.entityIndex) }
        return known.isEmpty ? nil : values.random.pick(known).key
    }

    // MARK: New rows

    /// Returns new rows of all entities, and links between them.
    mutating func insertions() throws -> ChangeSet {
        var changes = ChangeSet(author: "random")
        var fresh: [(EntityLayout, [Int64])] = []
        for layout in model.layouts where !layout.isAbstract {
            let rows = (0..<values.random.count(0...9)).map { _ in freshKey(layout) }
            fresh.append((layout, rows))
        }
        for (layout, rows) in fresh where !rows.isEmpty {
            var builder = RowBatchBuilder(model: model)
            for key in rows { append(key, layout, to: &builder) }
            changes.inserts.append(.init(entityIndex: layout.index, rows: try builder.finish()))
        }
        changes.links = links(count: 12, removes: false)
        used = nil
        return changes
    }

    private mutating func freshKey(_ layout: EntityLayout) -> Int64 {
        defer { nextKey += 1 }
        keys[layout.rootIndex, default: []].append((nextKey, layout.index))
        return nextKey
    }

    private mutating func append(_ key: Int64, _ layout: EntityLayout, to builder: inout RowBatchBuilder) {
        builder.beginRow(key: key, version: 1, entityIndex: layout.index)
        for (index, column) in layout.columns.enumerated() {
            let value = value(of: column)
            let isTaken = layout.uniqueConstraints.contains { constraint in
                guard constraint.columns == [index] else { return false }
                return used?.insert([.int(Int64(constraint.entityIndex)), value]).inserted == false
            }
            builder.set(index, to: isTaken ? .null : value)
        }
    }

    private mutating func value(of column: ColumnLayout) -> StoredValue {
        switch column.kind {
        case .reference(let destination):
            return values.random.chance(25) ? .null : key(of: destination).map { .int($0) } ?? .null
        case .attribute(let type):
            return column.isOptional && values.random.chance(20) ? .null : values.value(of: type)
        }
    }

    // MARK: Links

    mutating func links(count: Int, removes: Bool) -> [ChangeSet.LinkChange] {
        var changes: [ChangeSet.LinkChange] = []
        for layout in model.layouts {
            for property in layout.properties {
                guard let relationship = property.relationship, relationship.description.isToMany,
                    relationship.sourceIndex == layout.index,
                    relationship.isLinkOwner(in: model, slot: property.slot)
                        || relationship.description.isOrdered,
                    relationship.isManyToMany || relationship.description.isOrdered
                else { continue }
                var change = ChangeSet.LinkChange(entityIndex: layout.index, slot: property.slot)
                change.placed = links(relationship, count: values.random.count(0...count))
                if removes {
                    change.removed = links(relationship, count: values.random.count(0...3))
                        .filter { removed in !change.placed.contains { $0.joins(removed) } }
                }
                if !change.placed.isEmpty || !change.removed.isEmpty { changes.append(change) }
            }
        }
        return changes
    }

    private mutating func links(_ relationship: RelationshipLayout, count: Int) -> [RelatedRows.Link] {
        var links: [RelatedRows.Link] = []
        for _ in 0..<count {
            guard let owner = key(of: relationship.sourceIndex),
                let target = key(of: relationship.destinationIndex)
            else { break }
            let position = relationship.description.isOrdered ? Int64(values.random.count(-2...4)) : 0
            let link = RelatedRows.Link(owner: owner, target: target, position: position)
            if !links.contains(where: { $0.joins(link) }) { links.append(link) }
        }
        return links
    }

    // MARK: Changes

    /// Returns insertions, updates, deletions and links; some of them are based on outdated versions.
    mutating func changes(seenBy session: any ReadSession) throws -> ChangeSet {
        var changes = ChangeSet(author: "random", contextName: "changes")
        var touched: Set<Int64> = []
        for layout in model.layouts where !layout.isAbstract && values.random.chance(40) {
            let key =
                values.random.chance(95) ? freshKey(layout) : self.key(of: layout.index) ?? freshKey(layout)
            guard touched.insert(key).inserted else { continue }
            var builder = RowBatchBuilder(model: model)
            append(key, layout, to: &builder)
            changes.inserts.append(.init(entityIndex: layout.index, rows: try builder.finish()))
        }
        for layout in model.layouts where !layout.isAbstract && values.random.chance(40) {
            let update = try update(of: layout, &touched, session)
            if let update { changes.updates.append(update) }
        }
        for layout in model.layouts where !layout.isAbstract && values.random.chance(20) {
            let stored = keys[layout.rootIndex]?.filter {
                $0.entityIndex == layout.index && !touched.contains($0.key)
            }
            guard let row = stored.flatMap({ $0.isEmpty ? nil : values.random.pick($0) }) else { continue }
            touched.insert(row.key)
            changes.deletes.append(
                .init(
                    entityIndex: layout.index, keys: [row.key],
                    baseVersions: [values.random.chance(70) ? nil : Int64(values.random.count(1...2))]))
        }
        if values.random.chance(50) { changes.links = links(count: 2, removes: true) }
        return changes
    }

    private mutating func update(
        of layout: EntityLayout, _ touched: inout Set<Int64>, _ session: any ReadSession
    ) throws -> ChangeSet.Update? {
        let known = (keys[layout.rootIndex] ?? []).filter { $0.entityIndex == layout.index }.map(\.key)
        let wanted = known.filter { _ in values.random.chance(20) }.filter { !touched.contains($0) }
        let rows = try session.rows(wanted, entityIndex: layout.index)
        let columns = layout.columns.indices.filter { _ in values.random.chance(40) }
        if rows.count == 0 || columns.isEmpty { return nil }
        var builder = RowBatchBuilder(model: model)
        var bases: [Int64] = []
        for row in 0..<rows.count {
            touched.insert(rows.key(at: row))
            builder.append(row, of: rows, version: rows.version(at: row) + 1)
            for column in columns { builder.set(column, to: value(of: layout.columns[column])) }
            bases.append(values.random.chance(97) ? rows.version(at: row) : 77)
        }
        return .init(
            entityIndex: layout.index, columns: columns, rows: try builder.finish(), baseVersions: bases)
    }
}

extension RelatedRows.Link {
    /// Returns whether two links connect the same rows, in either direction.
    fileprivate func joins(_ other: RelatedRows.Link) -> Bool {
        owner == other.owner && target == other.target || owner == other.target && target == other.owner
    }
}
