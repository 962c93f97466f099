/// Applies delete rules to rows and finds all rows that have to be deleted or changed with them.
struct DeleteRuleEvaluation<Source: RowSource> {
    private let source: Source
    /// The rows to delete.
    private var deletedRows: [RowIdentity: StoredRow] = [:]
    /// The rows with references to clear, and the columns of the references.
    private var nullified: [RowIdentity: (row: StoredRow, columns: Set<Int>)] = [:]
    private var conflicts: [RowConflict] = []

    init(_ source: Source) { self.source = source }

    private var model: ObjectModel { source.model }

    /// Adds rows to delete, with all rows that their cascades delete.
    mutating func delete(_ rows: [StoredRow]) throws {
        var pending = rows
        while let row = pending.popLast() {
            guard deletedRows.updateValue(row, forKey: identity(of: row)) == nil else { continue }
            for (slot, relationship) in relationships(of: row) where relationship.deleteRule == .cascade {
                pending += try targets(of: row, slot)
            }
        }
    }

    /// Applies the other rules, after all rows to delete have been added.
    mutating func finish(author: String?) throws -> BatchChanges {
        let rows = deletedRows.sorted { $0.key < $1.key }.map(\.value)
        for row in rows {
            for (slot, relationship) in relationships(of: row) {
                switch relationship.deleteRule {
                case .deny: try deny(row, slot, relationship.name)
                case .nullify: try nullify(row, slot)
                case .cascade, .noAction: continue
                }
            }
        }
        var changes = ChangeSet(author: author)
        if conflicts.isEmpty {
            changes.updates = try updates()
            changes.deletes = deletions(of: rows)
        }
        return BatchChanges(changes: changes, conflicts: conflicts)
    }

    private func identity(of row: StoredRow) -> RowIdentity {
        RowIdentity(entityIndex: row.entityIndex, key: row.key)
    }

    private func relationships(of row: StoredRow) -> [(slot: Int, RelationshipDescription)] {
        model.layouts[row.entityIndex].properties.compactMap { property in
            property.relationship.map { (property.slot, $0.description) }
        }
    }

    /// Returns the rows to which a relationship refers.
    private func targets(of row: StoredRow, _ slot: Int) throws -> [StoredRow] {
        let property = model.layouts[row.entityIndex].properties[slot]
        guard let relationship = property.relationship else { return [] }
        let keys =
            if let column = property.columns.first {
                row.reference(column).map { [$0] } ?? []
            } else {
                try source.links(of: row.key, entityIndex: row.entityIndex, slot: slot).map(\.target)
            }
        return try keys.compactMap { try source.row($0, entityIndex: relationship.destinationIndex) }
    }

    private mutating func deny(_ row: StoredRow, _ slot: Int, _ name: String) throws {
        let remaining = try targets(of: row, slot).contains { deletedRows[identity(of: $0)] == nil }
        guard remaining else { return }
        conflicts.append(
            RowConflict(entityIndex: row.entityIndex, key: row.key, reason: .denied(property: name)))
    }

    /// Clears the references to a deleted row; a store removes links of many-to-many relationships itself.
    private mutating func nullify(_ row: StoredRow, _ slot: Int) throws {
        guard let relationship = model.layouts[row.entityIndex].properties[slot].relationship,
            let inverseSlot = relationship.inverseSlot
        else { return }
        let inverse = model.layouts[relationship.destinationIndex].properties[inverseSlot]
        guard let column = inverse.columns.first else { return }
        for target in try targets(of: row, slot) where target.reference(column) == row.key {
            let identity = identity(of: target)
            if deletedRows[identity] != nil { continue }
            if inverse.relationship?.description.isOptional == false {
                conflicts.append(
                    RowConflict(
                        entityIndex: identity.entityIndex, key: identity.key,
                        reason: .missingReference(property: inverse.name)))
            }
            nullified[identity, default: (target, [])].columns.insert(column)
        }
    }

    /// Returns the changed rows, grouped by entity and columns.
    private func updates() throws -> [ChangeSet.Update] {
        let groups = Dictionary(grouping: nullified.sorted { $0.key < $1.key }) {
            NullifiedShape(entityIndex: $0.key.entityIndex, columns: $0.value.columns.sorted())
        }
        return try groups.sorted { $0.value[0].key < $1.value[0].key }.map { shape, members in
            let rows = members.map(\.value.row)
            var builder = RowBatchBuilder(
                model: model, expecting: rows.count, entityIndex: shape.entityIndex)
            for row in rows {
                builder.append(row.index, of: row.batch, version: row.version + 1)
                for column in shape.columns { builder.setNull(column) }
            }
            return ChangeSet.Update(
                entityIndex: shape.entityIndex, columns: shape.columns, rows: try builder.finish(),
                baseVersions: rows.map(\.version))
        }
    }

    private func deletions(of rows: [StoredRow]) -> [ChangeSet.Deletion] {
        Dictionary(grouping: rows, by: \.entityIndex).sorted { $0.key < $1.key }.map { entityIndex, rows in
            ChangeSet.Deletion(
                entityIndex: entityIndex, keys: rows.map(\.key), baseVersions: rows.map(\.version))
        }
    }
}

/// The identity of a row, sorted by entity and key.
private struct RowIdentity: Hashable, Comparable {
    var entityIndex: Int
    var key: Int64

    static func < (left: RowIdentity, right: RowIdentity) -> Bool {
        (left.entityIndex, left.key) < (right.entityIndex, right.key)
    }
}

/// The columns in which a group of rows loses references.
private struct NullifiedShape: Hashable {
    var entityIndex: Int
    var columns: [Int]
}
