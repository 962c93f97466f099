import ContextCore

/// Finds violations of unique constraints.
///
/// The rows of the change set are deleted during the search, so it finds only rows that don't change.
struct UniquenessSearch<Reader: RowReader> {
    private let reader: Reader
    private let model: ObjectModel

    init(_ reader: Reader) {
        self.reader = reader
        model = reader.mapping.model
    }

    /// A row's claim to the values of a unique constraint.
    private struct Claim {
        let entityIndex: Int
        let constraint: UniqueColumns
        let key: Int64
        /// A row of the store, outside of the change set, that has the same values.
        let stored: Int64?
        /// Whether the row had different values before.
        let isNew: Bool
    }

    /// The values of a unique constraint.
    private struct UniqueKey: Hashable {
        let entityIndex: Int
        let names: [String]
        let values: [StoredValue]
    }

    /// Returns the stored rows of the updates, in their order; nil for entities without unique constraints.
    func rowsBefore(_ changes: ChangeSet) throws(StoreError) -> [RowBatch?] {
        var rows: [RowBatch?] = []
        for update in changes.updates {
            let hasConstraints = !model.layouts[update.entityIndex].uniqueConstraints.isEmpty
            rows.append(
                hasConstraints
                    ? try reader.rows(Array(BatchKeys(update.rows)), entityIndex: update.entityIndex) : nil)
        }
        return rows
    }

    /// Returns a conflict for each constraint that a row's new values violate, with the other row that has the smallest key.
    func conflicts(_ changes: ChangeSet, before: [RowBatch?]) throws(StoreError) -> [RowConflict] {
        var claims: [UniqueKey: [Claim]] = [:]
        for group in changes.inserts { try claim(group.rows, group.entityIndex, nil, &claims) }
        for (group, before) in zip(changes.updates, before) {
            try claim(group.rows, group.entityIndex, before, &claims)
        }
        var conflicts: [RowConflict] = []
        for members in claims.values {
            let stored = members.lazy.compactMap(\.stored).first
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
        _ batch: RowBatch, _ entityIndex: Int, _ before: RowBatch?, _ claims: inout [UniqueKey: [Claim]]
    ) throws(StoreError) {
        var places: [Int64: Int] = [:]
        for row in 0..<(before?.count ?? 0) { places[before?.key(at: row) ?? 0] = row }
        for constraint in model.layouts[entityIndex].uniqueConstraints {
            let stored = try reader.duplicateKeys(of: batch, entityIndex, constraint)
            for row in 0..<batch.count {
                let values = constraint.columns.map { batch.value($0, at: row) }
                if values.contains(where: \.isNull) { continue }
                let uniqueKey = UniqueKey(
                    entityIndex: constraint.entityIndex, names: constraint.names, values: values)
                let old = places[batch.key(at: row)].map { old in
                    constraint.columns.map { before?.value($0, at: old) ?? .null }
                }
                claims[uniqueKey, default: []].append(
                    Claim(
                        entityIndex: entityIndex, constraint: constraint, key: batch.key(at: row),
                        stored: stored[batch.key(at: row)], isNew: old != values))
            }
        }
    }
}
