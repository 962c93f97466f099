/// Hands a change set to the parent, and deals with what stands in its way.
struct ConflictStage {
    /// How often a save is tried again after its conflicts have been resolved.
    static let attempts = 8

    let graph: ObjectGraph
    let policy: MergePolicy
    /// Selects what is left to do from objects that are to be saved.
    let select: (Set<ManagedObject>) throws -> SaveWork
    /// Makes a change set of what is left to do after conflicts have been resolved.
    let encode: (SaveWork) throws -> EncodedSave

    /// Returns the save as it was accepted in the end.
    func handOver(_ save: EncodedSave) throws -> EncodedSave {
        let receipt = try graph.parent.save(save.changes)
        if receipt.conflicts.isEmpty { return receipt.completed.isEmpty ? save : save.completed(by: receipt) }
        if graph.hasUnseenDependents {
            // Conflicts are told, and resolved, of objects.
            graph.seeDependents()
            try graph.throwDeferredError()
            return try handOver(encode(SaveWork(graph)))
        }
        let before = GraphMemento(graph)
        var keys: [AssignedKeys] = []
        do {
            let pending = Set(graph.changes.objects.filter(\.hasChanges))
            try resolve(receipt.conflicts)
            return try handOverAgain(save, pending, &keys)
        } catch {
            before.restore()
            for assigned in keys { assigned.revert(in: graph) }
            throw error
        }
    }

    /// - Parameters:
    ///   - pending: The objects that had changes before conflicts were resolved; those that have some since are saved too.
    ///   - keys: The keys that objects get which are saved too.
    private func handOverAgain(
        _ save: EncodedSave, _ pending: Set<ManagedObject>, _ keys: inout [AssignedKeys]
    ) throws -> EncodedSave {
        var save = save
        for _ in 0..<Self.attempts {
            let chosen = Set(save.work.all.flatMap(\.objects))
            let known = pending.union(chosen)
            let work = try select(
                chosen.union(graph.changes.objects.filter { $0.hasChanges && !known.contains($0) }))
            if graph.hasTemporaryKeys { keys.append(try IdentityStage(graph: graph).assignKeys(work)) }
            // What was decided may break rules that neither side broke.
            try ValidationStage(graph: graph).validate(work)
            save = try encode(work)
            let receipt = try graph.parent.save(save.changes)
            if receipt.conflicts.isEmpty {
                return receipt.completed.isEmpty ? save : save.completed(by: receipt)
            }
            try resolve(receipt.conflicts)
        }
        throw StoreError(
            .conflict,
            "The save conflicted \(Self.attempts) times with saves of other contexts and was given up. Nothing was saved.",
            remedy: "Save again.")
    }

    /// Resolves conflicts as the merge policy says, or throws those that it leaves to the program.
    private func resolve(_ conflicts: [RowConflict]) throws {
        let policies = ConflictResolution(graph: graph, policy: policy)
        var resolutions: [() throws -> Void] = []
        // Last: the partners of an object that the context loses here have to find it, as they take back their own changes.
        var losses: [() throws -> Void] = []
        var remaining: [SaveConflict] = []
        for conflict in conflicts {
            guard let resolution = try policies.resolution(of: conflict) else {
                remaining.append(try ConflictDescription(graph: graph).describe(conflict))
                continue
            }
            if conflict.reason == .deleted {
                losses.append(resolution)
            } else {
                resolutions.append(resolution)
            }
        }
        guard let first = remaining.first else { return try (resolutions + losses).forEach { try $0() } }
        throw StoreError(
            first.code, "Nothing was saved, because of what others saved before.",
            remedy: remedy(for: remaining),
            conflicts: remaining)
    }
}

extension ConflictStage {
    /// What to do.
    ///
    /// A refresh helps only an object that the store has: a new one would be lost by it, or be in the way again.
    private func remedy(for conflicts: [SaveConflict]) -> String {
        let duplicates = conflicts.filter { $0.code == .duplicate && isNew($0.objectID) }
        if duplicates.count < conflicts.count {
            return "Refresh the objects and try again, or give the context a merge policy."
        }
        return
            "Give the new objects other values, or delete them and change the objects that have these values."
    }

    private func isNew(_ id: ObjectID) -> Bool {
        guard let rootIndex = try? graph.rootIndex(of: id) else { return false }
        return graph.identities.object(id.key, rootIndex: rootIndex)?.state == .inserted
    }
}

extension SaveConflict {
    /// The error code that fits the conflict.
    var code: StoreError.Code {
        switch kind {
        case .changed, .deleted: .conflict
        case .duplicate: .duplicate
        case .missingReference: .missingReference
        case .denied: .validation
        }
    }
}
