/// Finds the references in a child's changes to rows that are marked as deleted in the parent or missing in the store.
///
/// Such a reference would become a pending change of the parent, and make the parent's own save fail.
struct MissingReferences {
    /// The maximum number of rows to look up at once.
    private static let batchSize = 500

    private let graph: ObjectGraph
    /// The rows that the child inserts, which may restore rows that are marked as deleted in this context.
    private let inserted: Set<Row>
    /// The rows that the child refers to but that neither exist nor are inserted.
    private var missing: Set<Row> = []

    private struct Row: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    /// A reference or a link, with the rows that it requires.
    private struct Reference {
        let rows: [Row]
        let conflict: RowConflict
    }

    init(_ graph: ObjectGraph, _ changes: ChangeSet) {
        self.graph = graph
        inserted = Set(
            changes.inserts.flatMap { insertion in
                let rootIndex = graph.model.layouts[insertion.entityIndex].rootIndex
                return (0..<insertion.rows.count).map {
                    Row(rootIndex: rootIndex, key: insertion.rows.key(at: $0))
                }
            })
    }

    /// Returns a conflict for each reference to a missing row.
    mutating func conflicts(_ changes: ChangeSet) throws -> [RowConflict] {
        var found: [Reference] = []
        for insertion in changes.inserts { found += references(insertion.rows, columns: nil) }
        for update in changes.updates { found += references(update.rows, columns: Set(update.columns)) }
        for change in changes.links { found += references(change) }
        try findMissing(Set(found.flatMap(\.rows)).subtracting(inserted))
        return found.filter { $0.rows.contains(where: missing.contains) }.map(\.conflict)
    }

    private func references(_ rows: RowBatch, columns: Set<Int>?) -> [Reference] {
        var references: [Reference] = []
        for row in 0..<rows.count {
            let entity = graph.model.layouts[rows.entityIndex(at: row)]
            for property in entity.properties {
                guard let relationship = property.relationship, let column = property.columns.first,
                    columns?.contains(column) != false,
                    let key = rows.reference(entity.slotLocations[property.slot], at: row),
                    !graph.model.mayDangle(relationship)
                else { continue }
                references.append(
                    Reference(
                        rows: [self.row(key, relationship.destinationIndex)],
                        conflict: conflict(property.name, entity.index, rows.key(at: row))))
            }
        }
        return references
    }

    private func references(_ change: ChangeSet.LinkChange) -> [Reference] {
        let property = graph.model.layouts[change.entityIndex].properties[change.slot]
        guard let relationship = property.relationship, relationship.isManyToMany else { return [] }
        return change.placed.map { link in
            Reference(
                rows: [
                    row(link.owner, relationship.sourceIndex),
                    row(link.target, relationship.destinationIndex),
                ],
                conflict: conflict(property.name, change.entityIndex, link.owner))
        }
    }

    /// Finds the missing rows, and looks up rows that this context has not loaded in the store.
    private mutating func findMissing(_ rows: Set<Row>) throws {
        var unknown: [Int: [Int64]] = [:]
        for row in rows {
            let known = graph.identities.object(row.key, rootIndex: row.rootIndex)
            if let known, !known.isLive {
                missing.insert(row)
            } else if known.map({ $0.row < 0 && $0.state != .inserted }) ?? true {
                unknown[row.rootIndex, default: []].append(row.key)
            }
        }
        for (rootIndex, keys) in unknown {
            for part in keys.chunks(ofCount: Self.batchSize) {
                let stored = try graph.parent.rows(Array(part), entityIndex: rootIndex)
                let present = Set((0..<stored.count).map { stored.key(at: $0) })
                missing.formUnion(
                    part.filter { !present.contains($0) }.map { Row(rootIndex: rootIndex, key: $0) })
            }
        }
    }

    private func row(_ key: Int64, _ entityIndex: Int) -> Row {
        Row(rootIndex: graph.model.layouts[entityIndex].rootIndex, key: key)
    }

    private func conflict(_ property: String, _ entityIndex: Int, _ key: Int64) -> RowConflict {
        RowConflict(entityIndex: entityIndex, key: key, reason: .missingReference(property: property))
    }
}
