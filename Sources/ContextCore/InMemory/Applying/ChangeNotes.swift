/// Notes for the history which rows a change set changes.
struct ChangeNotes {
    private struct Row: Hashable {
        var rootIndex: Int
        var key: Int64
    }

    private let model: ObjectModel
    private var changes: [HistoryChange] = []
    /// The relationships of which rows have other links now.
    private var linked: [Row: Set<String>] = [:]

    init(_ model: ObjectModel) { self.model = model }

    // MARK: Rows

    /// The names of the properties that some columns belong to, sorted.
    func names(of columns: [Int], entityIndex: Int) -> [String] {
        let layout = model.layouts[entityIndex]
        let slots = Set(columns.map { layout.columns[$0].slot })
        return slots.map { layout.properties[$0].name }.sortedByBytes { $0 }
    }

    /// Notes what was done to a row.
    mutating func note(_ kind: HistoryChange.Kind, _ row: StoredRow, _ names: [String] = []) {
        changes.append(
            HistoryChange(
                kind: kind, entityIndex: row.entityIndex, key: row.key, changedProperties: names,
                tombstone: kind == .delete ? tombstone(row) : [:]))
    }

    private func tombstone(_ row: StoredRow) -> [String: StoredValue] {
        var values: [String: StoredValue] = [:]
        for property in model.layouts[row.entityIndex].properties
        where property.attribute?.preservesValueOnDeletion == true {
            let value = row.batch.storedValue(of: property, at: row.index)
            if !value.isNull { values[property.name] = value }
        }
        return values
    }

    // MARK: Links

    /// Notes that a link is new, gone or stands elsewhere: for its owner, and for its target where that sees it too.
    mutating func note(_ link: RelatedRows.Link, entityIndex: Int, slot: Int) {
        let property = model.layouts[entityIndex].properties[slot]
        let owner = Row(rootIndex: model.layouts[entityIndex].rootIndex, key: link.owner)
        linked[owner, default: []].insert(property.name)
        noteOpposite(of: link, entityIndex: entityIndex, slot: slot)
    }

    /// Notes the same for the link's target alone.
    mutating func noteOpposite(of link: RelatedRows.Link, entityIndex: Int, slot: Int) {
        guard let relationship = model.layouts[entityIndex].properties[slot].relationship,
            relationship.isManyToMany, let inverseSlot = relationship.inverseSlot
        else { return }
        let destination = model.layouts[relationship.destinationIndex]
        linked[Row(rootIndex: destination.rootIndex, key: link.target), default: []]
            .insert(destination.properties[inverseSlot].name)
    }

    // MARK: The whole

    /// All changes, each row once, sorted by entity and key.
    func finish(_ after: MemorySnapshot) -> [HistoryChange] {
        var all = changes
        var open = linked
        if !open.isEmpty {
            for index in all.indices {
                let row = Row(rootIndex: model.layouts[all[index].entityIndex].rootIndex, key: all[index].key)
                guard let names = open.removeValue(forKey: row), all[index].kind == .update else { continue }
                all[index].changedProperties = names.union(all[index].changedProperties).sortedByBytes { $0 }
            }
        }
        for (row, names) in open {
            guard let entityIndex = after.tables[row.rootIndex].rows[row.key]?.entityIndex else { continue }
            all.append(
                HistoryChange(
                    kind: .update, entityIndex: entityIndex, key: row.key,
                    changedProperties: names.sortedByBytes { $0 }))
        }
        all.sort { ($0.entityIndex, $0.key) < ($1.entityIndex, $1.key) }
        return all
    }
}
