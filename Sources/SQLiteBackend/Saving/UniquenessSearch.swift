#if SQLite
import ContextCore
import SQLStore

/// Finds the rows that would have the same values of unique constraints as others.
///
/// The rows of the change set are out of their tables while it looks, so what it finds there are rows that stay as they are.
struct UniquenessSearch {
    let store: SQLiteStore
    let connection: SQLiteConnection

    /// A row with values that no other may have.
    private struct Claim {
        let entityIndex: Int
        let constraint: UniqueColumns
        let batch: RowBatch
        let row: Int
        /// Whether the row had other values before.
        let isNew: Bool

        var key: Int64 { batch.key(at: row) }
    }

    /// The values of a constraint.
    private struct Place: Hashable {
        let entityIndex: Int
        let names: [String]
        let values: [StoredValue]
    }

    /// The rows of the updates as they are, in the order of the updates; empty batches where nothing is unique.
    func rowsBefore(_ changes: ChangeSet) throws(StoreError) -> [RowBatch?] {
        let reader = SessionReader(store: store, connection: connection)
        var rows: [RowBatch?] = []
        for update in changes.updates {
            let hasConstraints = !store.model.layouts[update.entityIndex].uniqueConstraints.isEmpty
            rows.append(
                hasConstraints
                    ? try reader.rows(Array(BatchKeys(update.rows)), entityIndex: update.entityIndex) : nil)
        }
        return rows
    }

    /// A conflict for each constraint that a row's new values break, with the other row of the least key.
    func conflicts(_ changes: ChangeSet, before: [RowBatch?]) throws(StoreError) -> [RowConflict] {
        var claims: [Place: [Claim]] = [:]
        for group in changes.inserts { claim(group.rows, group.entityIndex, nil, &claims) }
        for (group, before) in zip(changes.updates, before) {
            claim(group.rows, group.entityIndex, before, &claims)
        }
        var conflicts: [RowConflict] = []
        for members in claims.values {
            let stored = try stored(members[0])
            if stored == nil, members.count == 1 { continue }
            for member in members where member.isNew {
                let others = members.map(\.key).filter { $0 != member.key } + (stored.map { [$0] } ?? [])
                guard let other = others.min() else { continue }
                conflicts.append(
                    RowConflict(
                        entityIndex: member.entityIndex, key: member.key,
                        reason: .duplicate(constraint: member.constraint.names, otherKey: other)))
            }
        }
        return conflicts
    }

    private func claim(
        _ batch: RowBatch, _ entityIndex: Int, _ before: RowBatch?, _ claims: inout [Place: [Claim]]
    ) {
        var places: [Int64: Int] = [:]
        for row in 0..<(before?.count ?? 0) { places[before?.key(at: row) ?? 0] = row }
        for constraint in store.model.layouts[entityIndex].uniqueConstraints {
            for row in 0..<batch.count {
                let values = constraint.columns.map { batch.value($0, at: row) }
                if values.contains(where: \.isNull) { continue }
                let place = Place(
                    entityIndex: constraint.entityIndex, names: constraint.names, values: values)
                let old = places[batch.key(at: row)].map { old in
                    constraint.columns.map { before?.value($0, at: old) ?? .null }
                }
                claims[place, default: []].append(
                    Claim(
                        entityIndex: entityIndex, constraint: constraint, batch: batch, row: row,
                        isNew: old != values))
            }
        }
    }

    /// The row in the table that has the values.
    private func stored(_ claim: Claim) throws(StoreError) -> Int64? {
        let entity = store.mapping.entities[claim.entityIndex]
        let declaring = store.mapping.entities[claim.constraint.entityIndex]
        let family = declaring.layout.familyIndices.map { store.mapping.entities[$0].number }
        let text = RowStatements(.sqlite).search(
            in: entity, columns: claim.constraint.columns,
            entities: declaring.layout.rootIndex == declaring.layout.index ? nil : family)
        let statement = try connection.statement(text.sql)
        defer { statement.reset() }
        statement.bind(1, claim.key)
        try RowBinding(entity, columns: claim.constraint.columns).bind(
            claim.batch, row: claim.row, to: statement, from: 2)
        return try statement.step() ? statement.integer(0) : nil
    }
}
#endif
