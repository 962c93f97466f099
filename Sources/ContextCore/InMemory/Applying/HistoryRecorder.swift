/// Collects the changes that a change set adds to the history.
struct HistoryRecorder {
    private struct Row: Hashable {
        var rootIndex: Int
        var key: Int64
    }

    private let model: ObjectModel
    private var changes: [HistoryChange] = []
    /// The names of the to-many relationships whose links changed, by row.
    private var linked: [Row: Set<String>] = [:]

    init(_ model: ObjectModel) { self.model = model }

    // MARK: Rows

    /// Returns the sorted names of the properties of the given columns.
    func names(of columns: [Int], entityIndex: Int) -> [String] {
        let layout = model.layouts[entityIndex]
        let slots = Set(columns.map { layout.columns[$0].slot })
        return slots.map { layout.properties[$0].name }.sortedByBytes { $0 }
    }

    /// Records an insert, update or delete of a row.
    mutating func recordRow(_ kind: HistoryChange.Kind, _ row: StoredRow, _ names: [String] = []) {
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

    /// Records an added, removed or moved link for its owner, and for its target if the relationship is many-to-many.
    mutating func recordLink(_ link: RelatedRows.Link, entityIndex: Int, slot: Int) {
        let property = model.layouts[entityIndex].properties[slot]
        let owner = Row(rootIndex: model.layouts[entityIndex].rootIndex, key: link.owner)
        linked[owner, default: []].insert(property.name)
        recordInverse(of: link, entityIndex: entityIndex, slot: slot)
    }

    /// Records a change of a link only for its target.
    mutating func recordInverse(of link: RelatedRows.Link, entityIndex: Int, slot: Int) {
        guard let relationship = model.layouts[entityIndex].properties[slot].relationship,
            relationship.isManyToMany, let inverseSlot = relationship.inverseSlot
        else { return }
        let destination = model.layouts[relationship.destinationIndex]
        linked[Row(rootIndex: destination.rootIndex, key: link.target), default: []]
            .insert(destination.properties[inverseSlot].name)
    }

    // MARK: Result

    /// Returns the changes, one per row, sorted by entity and key.
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
