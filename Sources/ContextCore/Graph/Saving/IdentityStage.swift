/// Assigns permanent identifiers to new objects.
struct IdentityStage {
    let graph: ObjectGraph

    /// Assigns a permanent key to every new object with a temporary one, or to none if it throws.
    func assignKeys(_ work: SaveSelection) throws -> AssignedKeys {
        var assigned = AssignedKeys()
        do {
            for objects in newObjects(work) { assigned.append(objects, try assignKeys(objects)) }
        } catch {
            assigned.revert(in: graph)
            throw error
        }
        // In most saves, the work includes all changed objects.
        let isComplete = work.count == graph.changes.objects.count
        if isComplete || !graph.changes.objects.contains(where: { $0.state == .inserted && $0.key < 0 }) {
            graph.hasTemporaryKeys = false
        }
        return assigned
    }

    /// Returns the objects that need keys, by inheritance tree, in the order of their insertion.
    private func newObjects(_ work: SaveSelection) -> [[ManagedObject]] {
        let kinds = work.inserted.map { kind in
            kind.objects.allSatisfyUnretained { $0.key < 0 }
                ? kind.objects : kind.objects.filter { $0.key < 0 }
        }
        if kinds.count == 1 { return kinds[0].isEmpty ? [] : kinds }
        let trees = Dictionary(grouping: kinds.filter { !$0.isEmpty }) { $0[0].entity.rootIndex }
        return trees.sorted { $0.key < $1.key }.map { _, kinds in
            kinds.count == 1 ? kinds[0] : kinds.flatMap(\.self).sorted { $0.key > $1.key }
        }
    }

    /// Assigns keys to objects of one inheritance tree, and returns their previous keys.
    private func assignKeys(_ objects: [ManagedObject]) throws -> [Int64] {
        let rootIndex = objects[0].entity.rootIndex
        let keys = try graph.parent.reserveKeys(objects.count, rootIndex: rootIndex)
        let temporary = graph.identities.rekey(objects, to: keys, rootIndex: rootIndex)
        graph.permanentKeys.record(keys, for: temporary)
        return temporary
    }
}

/// The keys that a save has assigned, which it reverts if it fails.
struct AssignedKeys {
    private var temporary: [(objects: [ManagedObject], keys: [Int64])] = []

    fileprivate mutating func append(_ objects: [ManagedObject], _ keys: [Int64]) {
        temporary.append((objects, keys))
    }

    /// Restores the temporary keys, because a rolled-back store may assign the permanent ones to other objects.
    func revert(in graph: ObjectGraph) {
        for (objects, keys) in temporary {
            _ = graph.identities.rekey(objects, to: keys, rootIndex: objects[0].entity.rootIndex)
            graph.permanentKeys.removeAssignment(keys)
        }
        if !temporary.isEmpty { graph.hasTemporaryKeys = true }
    }

    /// Restores the temporary keys, and returns the error with the identifiers of the objects replaced accordingly.
    func revert(in graph: ObjectGraph, after error: any Error) -> any Error {
        guard let failed = error as? StoreError, !failed.failures.isEmpty || !failed.conflicts.isEmpty else {
            revert(in: graph)
            return error
        }
        let objects = Dictionary(
            temporary.flatMap(\.objects).map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
        revert(in: graph)
        return failed.replacingObjectIDs { objects[$0]?.objectID ?? $0 }
    }
}

extension StoreError {
    /// Returns the error with other identifiers of the objects that its failures and conflicts are about.
    fileprivate func replacingObjectIDs(_ replacement: (ObjectID) -> ObjectID) -> StoreError {
        StoreError(
            code, message, remedy: remedy, conflicts: conflicts.map { $0.replacingObjectIDs(replacement) },
            failures: failures.map { failure in
                var failure = failure
                failure.objectID = failure.objectID.map(replacement)
                return failure
            }, expiredHistory: expiredHistory, detail: detail, cause: cause)
    }
}

extension SaveConflict {
    fileprivate func replacingObjectIDs(_ replacement: (ObjectID) -> ObjectID) -> SaveConflict {
        let replaced: Kind =
            if case .duplicate(let properties, let other) = kind {
                .duplicate(properties: properties, other: replacement(other))
            } else {
                kind
            }
        return SaveConflict(
            objectID: replacement(objectID), entityName: entityName, kind: replaced, properties: properties)
    }
}
