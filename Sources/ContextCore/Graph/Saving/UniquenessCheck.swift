/// Finds objects of one save that collide with each other, before the store is asked.
struct UniquenessCheck {
    let graph: ObjectGraph

    func check(_ work: SaveWork) throws {
        var conflicts: [SaveConflict] = []
        var holders: [Claim: ManagedObject] = [:]
        for kind in work.kept {
            for constraint in kind.entity.uniqueConstraints {
                for object in kind.objects {
                    guard let claim = claim(of: object, constraint) else { continue }
                    if let other = holders[claim] {
                        conflicts.append(conflict(object, other, constraint))
                    } else {
                        holders[claim] = object
                    }
                }
            }
        }
        if conflicts.isEmpty { return }
        throw StoreError(
            .duplicate, "Objects that are to be saved collide with each other.",
            remedy: "Give them different values, or delete all but one.", conflicts: conflicts)
    }

    /// What an object claims for itself; nil where a value is missing, since nothing collides with nothing.
    private func claim(of object: ManagedObject, _ constraint: UniqueColumns) -> Claim? {
        var values: [StoredValue] = []
        for column in constraint.columns {
            let value = graph.currentValue(of: object, column: column)
            if value.isNull { return nil }
            values.append(value)
        }
        return Claim(constraint: constraint, values: values)
    }

    private func conflict(_ object: ManagedObject, _ other: ManagedObject, _ constraint: UniqueColumns)
        -> SaveConflict
    {
        SaveConflict(
            objectID: object.objectID, entityName: object.entity.name,
            kind: .duplicate(properties: constraint.names, other: other.objectID), properties: [])
    }
}

private struct Claim: Hashable {
    let constraint: UniqueColumns
    let values: [StoredValue]
}
