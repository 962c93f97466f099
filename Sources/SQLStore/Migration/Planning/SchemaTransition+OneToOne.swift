import ContextCore

/// Migrates to-one relationships that gain a to-one inverse: both objects store a reference, so the existing references are mirrored,
/// and two of them must not refer to the same object.
extension SchemaTransition {
    /// Returns the to-one inverse of a to-one relationship and the entity that declares it, or nil if there is none.
    private func oneToOneInverse(_ property: PropertyLayout) -> (
        entity: EntityMapping, property: PropertyLayout
    )? {
        guard let relationship = property.relationship, !relationship.description.isToMany,
            !relationship.inverseIsToMany, let slot = relationship.inverseSlot
        else { return nil }
        let destination = new.entities[relationship.destinationIndex]
        return (
            new.entities[destination.layout.declaringEntity(of: slot, in: new.model).index],
            destination.layout.properties[slot]
        )
    }

    /// Returns the older columns with the references of a to-one relationship, and the older entities whose rows have them.
    private func olderColumns(
        of property: PropertyLayout, _ entity: EntityMapping
    ) -> [(table: String, column: String, owners: [EntityMapping], relationship: RelationshipLayout)] {
        guard let relationship = property.relationship else { return [] }
        var found:
            [(table: String, column: String, owners: [EntityMapping], relationship: RelationshipLayout)] =
                []
        for pair in pairs(below: entity) {
            guard let older = olderReference(property, entity.layout, relationship, pair.old),
                let was = older.relationship, let place = older.columns.first
            else { continue }
            let column = pair.old.columns[place].name
            if let index = found.firstIndex(where: { $0.table == pair.old.table && $0.column == column }) {
                found[index].owners.append(pair.old)
            } else {
                found.append((pair.old.table, column, [pair.old], was))
            }
        }
        return found
    }

    /// Returns the condition that selects rows of an older table by their entities, or nil for all rows.
    private func filter(_ owners: [EntityMapping], _ table: SQLFragment) -> SQLFragment? {
        guard owners.contains(where: \.hasEntityColumn) else { return nil }
        let numbers = owners.map { "\(number: $0.number)" as SQLFragment }.joined()
        return "\(table).\(name: StoreNames.entity) IN (\(numbers))"
    }

    /// Returns the key of the object that refers to a row by the inverse, for a new relationship, or nil if the inverse is new too.
    ///
    /// - Parameters:
    ///   - table: The older table of the rows.
    ///   - owners: The older entities whose rows gain the relationship.
    func mirroredReference(
        of property: PropertyLayout, in table: String, _ owners: [EntityMapping]
    ) -> SQLFragment? {
        guard let inverse = oneToOneInverse(property),
            filledLinks(inverse.property, of: inverse.entity.layout) == nil
        else { return nil }
        let keys = olderColumns(of: inverse.property, inverse.entity).map { older -> SQLFragment in
            let other: SQLFragment = "\(name: "other")"
            let conditions = [
                "\(other).\(name: older.column) = \(name: table).\(name: StoreNames.key)",
                filter(older.owners, other), filter(owners, "\(name: table)"),
            ].compactMap(\.self)
            return
                "(SELECT min(\(other).\(name: StoreNames.key)) FROM \(name: older.table) AS \(other) WHERE \(conditions.joined(by: " AND ")))"
        }
        if keys.isEmpty { return nil }
        return keys.count == 1 ? keys[0] : "coalesce(\(keys.joined()))"
    }

    /// Returns the checks for objects with several references by a relationship that gains a to-one inverse.
    func sharedReferences(of property: PropertyLayout, _ declaring: EntityLayout) -> [RowCheck] {
        guard let inverse = oneToOneInverse(property), let relationship = property.relationship else {
            return []
        }
        let destination = new.entities[relationship.destinationIndex]
        return olderColumns(of: property, new.entities[declaring.index]).compactMap { older in
            // Relationships that were each other's to-one inverses already are valid.
            guard older.relationship.inverseSlot == nil || older.relationship.inverseIsToMany else {
                return nil
            }
            let lost = target(old.entities[older.relationship.destinationIndex], destination)
            let conditions = [
                "\(name: older.column) IS NOT NULL", filter(older.owners, "\(name: older.table)"),
                lost.map { "NOT (\($0.refersToLostObject(older.column)))" },
            ].compactMap(\.self)
            let path = "\(declaring.name).\(property.name)"
            let back = "\(inverse.entity.layout.name).\(inverse.property.name)"
            return RowCheck(
                """
                SELECT count(*) FROM (SELECT 1 FROM \(name: older.table) WHERE \(conditions.joined(by: " AND ")) \
                GROUP BY \(name: older.column) HAVING count(*) > 1) AS \(name: "shared")
                """,
                "objects are referred to by several others through \(path), but its inverse \(back) is to-one",
                rule: ("inverse-narrowing", path))
        }
    }
}
