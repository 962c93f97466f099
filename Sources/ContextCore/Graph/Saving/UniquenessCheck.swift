/// Finds objects of one save that have the same values of a unique constraint, before the store checks the constraint.
struct UniquenessCheck {
    let graph: ObjectGraph

    func check(_ work: SaveSelection) throws {
        var conflicts: [SaveConflict] = []
        var objectsByValues: [UniqueValues: ManagedObject] = [:]
        for kind in work.insertedAndUpdated {
            for constraint in kind.entity.uniqueConstraints {
                for object in kind.objects {
                    guard let uniqueValues = uniqueValues(of: object, constraint) else { continue }
                    if let other = objectsByValues[uniqueValues] {
                        conflicts.append(conflict(object, other, constraint))
                    } else {
                        objectsByValues[uniqueValues] = object
                    }
                }
            }
        }
        if conflicts.isEmpty { return }
        throw StoreError(
            .duplicate,
            "Several objects of the save have the same values of a unique constraint. Nothing was saved.",
            remedy: "Give the objects different values, or delete all but one of them.", conflicts: conflicts)
    }

    /// Returns an object's values of a constraint; nil if one is null, because null values are never equal.
    private func uniqueValues(of object: ManagedObject, _ constraint: UniqueColumns) -> UniqueValues? {
        var values: [StoredValue] = []
        for column in constraint.columns {
            let value = graph.currentValue(of: object, column: column)
            if value.isNull { return nil }
            values.append(value)
        }
        return UniqueValues(constraint: constraint, values: values)
    }

    private func conflict(_ object: ManagedObject, _ other: ManagedObject, _ constraint: UniqueColumns)
        -> SaveConflict
    {
        SaveConflict(
            objectID: object.objectID, entityName: object.entity.name,
            kind: .duplicate(properties: constraint.names, other: other.objectID), properties: [])
    }
}

private struct UniqueValues: Hashable {
    let constraint: UniqueColumns
    let values: [StoredValue]
}
