/// Finds what a child's changes would lead to that is to be deleted in its parent.
struct MissingReferences {
    private let graph: ObjectGraph
    /// What the child inserts, which may be what is to be deleted here: it comes back.
    private let inserted: Set<Row>

    private struct Row: Hashable {
        let rootIndex: Int
        let key: Int64
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

    /// All that are led to and will not be there.
    func conflicts(_ changes: ChangeSet) -> [RowConflict] {
        changes.inserts.flatMap { conflicts($0.rows, columns: nil) }
            + changes.updates.flatMap { conflicts($0.rows, columns: Set($0.columns)) }
            + changes.links.flatMap(conflicts)
    }

    private func conflicts(_ rows: RowBatch, columns: Set<Int>?) -> [RowConflict] {
        var conflicts: [RowConflict] = []
        for row in 0..<rows.count {
            let entity = graph.model.layouts[rows.entityIndex(at: row)]
            for property in entity.properties {
                guard let relationship = property.relationship, let column = property.columns.first,
                    columns?.contains(column) != false,
                    let key = rows.reference(entity.places[property.slot], at: row),
                    isMissing(key, relationship.destinationIndex), !graph.model.mayDangle(relationship)
                else { continue }
                conflicts.append(missing(property.name, entity.index, rows.key(at: row)))
            }
        }
        return conflicts
    }

    private func conflicts(_ change: ChangeSet.LinkChange) -> [RowConflict] {
        let property = graph.model.layouts[change.entityIndex].properties[change.slot]
        guard let relationship = property.relationship, relationship.isManyToMany else { return [] }
        return change.placed.compactMap { link in
            isMissing(link.owner, relationship.sourceIndex)
                || isMissing(link.target, relationship.destinationIndex)
                ? missing(property.name, change.entityIndex, link.owner) : nil
        }
    }

    private func isMissing(_ key: Int64, _ entityIndex: Int) -> Bool {
        let rootIndex = graph.model.layouts[entityIndex].rootIndex
        guard let known = graph.identities.object(key, rootIndex: rootIndex), !known.isKept else {
            return false
        }
        return !inserted.contains(Row(rootIndex: rootIndex, key: key))
    }

    private func missing(_ property: String, _ entityIndex: Int, _ key: Int64) -> RowConflict {
        RowConflict(entityIndex: entityIndex, key: key, reason: .missingReference(property: property))
    }
}
