extension ObjectModel {
    /// Whether derived attributes of the same or other rows depend on columns of an entity.
    package func derives(from layout: EntityLayout, columns: some Collection<Int>) -> Bool {
        if !layout.derivations.isEmpty { return true }
        if !copiedProperties(of: layout.index, columns: columns).isEmpty { return true }
        return contributes(layout, columns: columns)
    }

    /// Whether derived attributes over relationships of other rows depend on columns of an entity.
    func contributes(_ layout: EntityLayout, columns: some Collection<Int>) -> Bool {
        let properties = Set(columns.map { layout.columns[$0].slot })
        let names = Set(properties.map { layout.properties[$0].name })
        return layout.contributions.contains { slot in
            if properties.contains(slot) { return true }
            guard let relationship = layout.properties[slot].relationship else { return false }
            return layouts[relationship.destinationIndex].familyIndices.contains { owner in
                layouts[owner].derivations.contains { names.contains($0.derivation.attributeName ?? "") }
            }
        }
    }

    /// Whether derived attributes depend on rows that a change set changes.
    package func derives(from changes: ChangeSet) -> Bool {
        let whole = changes.inserts.map(\.entityIndex) + changes.deletes.map(\.entityIndex)
        return whole.contains { !layouts[$0].derivations.isEmpty || !layouts[$0].contributions.isEmpty }
            || !copiesOverDanglingReferences(from: changes).isEmpty
            || changes.updates.contains { derives(from: layouts[$0.entityIndex], columns: $0.columns) }
            || changes.links.contains(where: derives)
    }
}

extension ObjectModel {
    /// Whether derived attributes may depend on the links of a relationship.
    private func derives(from change: ChangeSet.LinkChange) -> Bool {
        let relationship = layouts[change.entityIndex].properties[change.slot].relationship
        return relationship?.isManyToMany == true
            && [change.entityIndex, relationship?.destinationIndex].compactMap { $0 }.contains { end in
                layouts[end].familyIndices.contains { !layouts[$0].derivations.isEmpty }
            }
    }
}

extension BatchPlan {
    /// Whether derived attributes depend on the columns that a batch update sets.
    package func affectsDerivations(_ values: [Int: StoredValue], _ model: ObjectModel) -> Bool {
        let layout = model.layouts[entityIndex]
        let layouts = includesSubentities ? layout.familyIndices.map { model.layouts[$0] } : [layout]
        return layouts.contains { model.derives(from: $0, columns: values.keys) }
    }
}
