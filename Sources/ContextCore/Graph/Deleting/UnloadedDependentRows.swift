/// Finds the rows of unloaded dependents of deleted objects, level by level.
struct UnloadedDependentRows {
    private let graph: ObjectGraph
    private var found: [Int: Rows] = [:]
    private var pending: [Cascade] = []

    /// A cascade and the keys of its owners.
    private struct Cascade {
        let relationship: RelationshipLayout
        let slot: Int
        var owners: [Int64]
    }

    /// Rows of one entity, with versions if other transactions may change them.
    private struct Rows {
        var keys: [Int64] = []
        var versions: [Int64?] = []
        /// The keys of the rows' owners; empty unless a trace records them.
        var owners: [Int64] = []
    }

    init(_ graph: ObjectGraph) { self.graph = graph }

    /// Returns the deletions, grouped by entity.
    mutating func deletions() throws -> [ChangeSet.Deletion] {
        for owner in graph.unloadedDependents.owners {
            add(owner.object.key, owner.object.entity, owner.slot)
        }
        while let step = pending.popLast() { try findRows(step) }
        return found.sorted { $0.key < $1.key }.map { entityIndex, rows in
            ChangeSet.Deletion(entityIndex: entityIndex, keys: rows.keys, baseVersions: rows.versions)
        }
    }

    private mutating func add(_ owner: Int64, _ entity: EntityLayout, _ slot: Int) {
        guard let relationship = entity.properties[slot].relationship else { return }
        if pending.last?.relationship === relationship {
            pending[pending.count - 1].owners.append(owner)
        } else if let place = pending.firstIndex(where: { $0.relationship === relationship }) {
            pending[place].owners.append(owner)
        } else {
            pending.append(Cascade(relationship: relationship, slot: slot, owners: [owner]))
        }
    }

    private mutating func findRows(_ step: Cascade) throws {
        let destination = graph.model.layouts[step.relationship.destinationIndex]
        var rows =
            graph.parent.isTransaction && !destination.hasSubentities
            ? [destination.index: try keys(step)] : try headers(step, destination)
        removeFoundRows(&rows, rootIndex: destination.rootIndex)
        recordCauses(of: rows, step, rootIndex: destination.rootIndex)
        for (entityIndex, fresh) in rows.sorted(by: { $0.key < $1.key }) where !fresh.keys.isEmpty {
            found[entityIndex, default: Rows()].keys += fresh.keys
            found[entityIndex, default: Rows()].versions += fresh.versions
            let entity = graph.model.layouts[entityIndex]
            for (slot, relationship) in entity.propagations
            where relationship.description.deleteRule == .cascade && relationship.description.isToMany {
                pending.append(Cascade(relationship: relationship, slot: slot, owners: fresh.keys))
            }
        }
    }

    /// Returns the keys without versions; if another transaction changes the rows before they are deleted, this one
    /// fails.
    private func keys(_ step: Cascade) throws -> Rows {
        let plan = RelatedPlan(
            entityIndex: step.relationship.sourceIndex, slot: step.slot, owners: step.owners,
            includesRows: false)
        let links = try graph.parent.related(plan).links
        return Rows(
            keys: links.map(\.target), versions: Array(repeating: nil, count: links.count),
            owners: recordsCauses ? links.map(\.owner) : [])
    }

    private var recordsCauses: Bool { graph.deletionTrace?.recordsUnloaded == true }

    private func recordCauses(of rows: [Int: Rows], _ step: Cascade, rootIndex: Int) {
        guard recordsCauses else { return }
        for fresh in rows.values {
            for (key, owner) in zip(fresh.keys, fresh.owners) {
                guard recordsCauses else { return }
                graph.deletionTrace?.record(
                    DeletionTrace.Cause(
                        entityIndex: step.relationship.sourceIndex, key: owner, slot: step.slot),
                    of: key, rootIndex: rootIndex)
            }
        }
    }

    /// Returns keys and versions, by entity.
    private func headers(_ step: Cascade, _ destination: EntityLayout) throws -> [Int: Rows] {
        guard let inverse = step.relationship.inverseSlot,
            let column = destination.properties[inverse].columns.first
        else { return [:] }
        let way = ResolvedProperty(
            scope: 0, hops: [], entityIndex: destination.index, target: .column(column))
        let owner = ResolvedExpression(
            .property(way), type: .object(entityIndex: step.relationship.sourceIndex), isNullable: true)
        let plan = FetchPlan(
            entityIndex: destination.index,
            predicate: .isMember(owner, of: step.owners.sorted().map { .int($0) }),
            columns: recordsCauses ? [column] : [])
        let batch = try graph.parent.fetch(plan)
        var rows: [Int: Rows] = [:]
        for row in 0..<batch.count {
            rows[batch.entityIndex(at: row), default: Rows()].keys.append(batch.key(at: row))
            rows[batch.entityIndex(at: row), default: Rows()].versions.append(batch.version(at: row))
            if recordsCauses, case .int(let owner) = batch.value(column, at: row) {
                rows[batch.entityIndex(at: row), default: Rows()].owners.append(owner)
            }
        }
        return rows
    }

    /// Removes rows that were already found, by another cascade or through a cycle.
    private func removeFoundRows(_ rows: inout [Int: Rows], rootIndex: Int) {
        let earlier = found.filter { graph.model.layouts[$0.key].rootIndex == rootIndex }
        if earlier.isEmpty { return }
        let known = Set(earlier.values.lazy.flatMap(\.keys))
        for (entityIndex, fresh) in rows {
            let kept = fresh.keys.indices.filter { !known.contains(fresh.keys[$0]) }
            rows[entityIndex] = Rows(
                keys: kept.map { fresh.keys[$0] }, versions: kept.map { fresh.versions[$0] },
                owners: fresh.owners.isEmpty ? [] : kept.map { fresh.owners[$0] })
        }
    }
}
