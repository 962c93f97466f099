/// Gives new objects their permanent identifiers.
struct IdentityStage {
    let graph: ObjectGraph

    /// Rekeys every new object that has only a temporary key: all of them, or none.
    func assignKeys(_ work: SaveWork) throws -> AssignedKeys {
        var assigned = AssignedKeys()
        do {
            try assignKeys(work, &assigned)
        } catch {
            assigned.revert(in: graph)
            throw error
        }
        // All that have changed are in most saves.
        let isComplete =
            work.inserted.count + work.updated.count + work.deleted.count == graph.changes.objects.count
        if isComplete || !graph.changes.objects.contains(where: { $0.state == .inserted && $0.key < 0 }) {
            graph.hasTemporaryKeys = false
        }
        return assigned
    }

    private func assignKeys(_ work: SaveWork, _ assigned: inout AssignedKeys) throws {
        let new = work.inserted.filter { $0.key < 0 }
        for (rootIndex, objects) in Dictionary(grouping: new, by: \.entity.rootIndex).sorted(by: {
            $0.key < $1.key
        }) {
            let keys = try graph.parent.reserveKeys(objects.count, rootIndex: rootIndex)
            graph.identities.reserve(objects.count, rootIndex: rootIndex)
            for (object, key) in zip(objects, keys) {
                assigned.temporary.append((object, object.key))
                graph.identities.rekey(object, to: key)
            }
        }
    }
}

/// The keys that a save gave out, so that a failed one can take them back.
struct AssignedKeys {
    fileprivate(set) var temporary: [(object: ManagedObject, key: Int64)] = []

    /// Gives the objects their temporary keys again: a rolled-back store may give the others to somebody else.
    func revert(in graph: ObjectGraph) {
        for (object, key) in temporary { graph.identities.rekey(object, to: key) }
        if !temporary.isEmpty { graph.hasTemporaryKeys = true }
    }
}
