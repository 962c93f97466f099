#if Postgres
import ContextCore
import SQLStore

/// Finds the rows of a change set that have the same values of unique constraints as another, or as a row that stays.
///
/// The rows that the change set changes or deletes have been taken out of their tables.
struct UniquenessSearch {
    let store: PostgresStore
    let connection: PostgresConnection

    func conflicts(_ changes: ChangeSet) throws(StoreError) -> [RowConflict] {
        var found = Found()
        var claims: [Claim: [(entityIndex: Int, key: Int64)]] = [:]
        let batches =
            changes.updates.map { ($0.entityIndex, $0.rows) }
            + changes.inserts.map { ($0.entityIndex, $0.rows) }
        for (entityIndex, rows) in batches {
            for constraint in store.model.layouts[entityIndex].uniqueConstraints {
                for row in 0..<rows.count {
                    let values = constraint.columns.map { rows.value($0, at: row) }
                    if values.contains(where: \.isNull) { continue }
                    let claim = Claim(constraint: constraint, values: values)
                    claims[claim, default: []].append((entityIndex, rows.key(at: row)))
                }
                try search(rows, entityIndex, constraint, &found)
            }
        }
        for (claim, rivals) in claims where rivals.count > 1 {
            let keys = rivals.map(\.key).sorted()
            for rival in rivals {
                let other = keys[0] == rival.key ? keys[1] : keys[0]
                found.note(rival.entityIndex, rival.key, claim.constraint, other)
            }
        }
        return found.conflicts
    }

    /// Compares rows with those that stay.
    private func search(
        _ rows: RowBatch, _ entityIndex: Int, _ constraint: UniqueColumns, _ found: inout Found
    ) throws(StoreError) {
        let entity = store.mapping.entities[entityIndex]
        let declaring = store.mapping.entities[constraint.entityIndex]
        let family = declaring.layout.familyIndices.map { store.mapping.entities[$0].number }
        let sql = ArrayStatements(entity: entity).search(
            columns: constraint.columns,
            entities: declaring.layout.rootIndex == declaring.layout.index ? nil : family)
        let columns = RowColumns(entity, columns: constraint.columns)
        for part in ChangeSetWriter.chunks(rows.count) {
            var parameters = SessionReader.keys(part.map { rows.key(at: $0) })
            columns.append(rows, rows: part, to: &parameters)
            let result = try connection.run(sql, parameters)
            for row in 0..<result.count {
                found.note(entityIndex, result.integer(row, 0), constraint, result.integer(row, 1))
            }
        }
    }
}

private struct Claim: Hashable {
    let constraint: UniqueColumns
    let values: [StoredValue]
}

/// The collisions, of which each row names the one with the least key.
private struct Found {
    private struct Place: Hashable {
        let entityIndex: Int
        let key: Int64
        let constraint: UniqueColumns
    }

    private var others: [Place: Int64] = [:]
    private var order: [Place] = []

    mutating func note(_ entityIndex: Int, _ key: Int64, _ constraint: UniqueColumns, _ other: Int64) {
        let place = Place(entityIndex: entityIndex, key: key, constraint: constraint)
        if let known = others[place] {
            others[place] = min(known, other)
        } else {
            others[place] = other
            order.append(place)
        }
    }

    var conflicts: [RowConflict] {
        order.compactMap { place in
            others[place].map {
                RowConflict(
                    entityIndex: place.entityIndex, key: place.key,
                    reason: .duplicate(constraint: place.constraint.names, otherKey: $0))
            }
        }
    }
}
#endif
