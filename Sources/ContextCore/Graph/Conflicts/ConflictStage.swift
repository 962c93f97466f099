/// Passes a change set to the parent, resolves conflicts, and retries.
struct ConflictStage {
    /// The maximum number of retries after conflicts have been resolved.
    static let maximumRetries = 8

    let graph: ObjectGraph
    let policy: MergePolicy
    /// Selects the given objects for a save, in the order in which they are written.
    let makeSelection: (Set<ManagedObject>) throws -> SaveSelection
    /// Encodes a save again after conflicts have been resolved.
    let encode: (SaveSelection) throws -> EncodedSave

    /// Saves to the parent and returns the save that the parent accepted.
    ///
    /// - Throws: ``StoreError`` with the conflicts that the merge policy doesn't resolve.
    func handOver(_ save: EncodedSave) throws -> EncodedSave {
        let receipt = try graph.parent.save(save.changes)
        if receipt.conflicts.isEmpty { return receipt.completed.isEmpty ? save : save.completed(by: receipt) }
        if graph.hasUnloadedDependents {
            // Conflicts can only be described and resolved for loaded objects.
            graph.loadDependents()
            try graph.throwDeferredError()
            return try handOver(encode(SaveSelection(graph)))
        }
        let before = GraphMemento(graph)
        var keys: [AssignedKeys] = []
        do {
            let pending = Set(graph.changes.objects.filter(\.hasChanges))
            try resolve(receipt.conflicts)
            return try retryHandOver(save, pending, &keys)
        } catch {
            before.restore()
            for assigned in keys { assigned.revert(in: graph) }
            throw error
        }
    }

    /// Saves again until the parent reports no conflict, at most ``maximumRetries`` times.
    ///
    /// - Parameters:
    ///   - pending: The objects that had changes before conflicts were resolved; objects that a resolution changes are saved too.
    ///   - keys: Receives the keys that the retries assign to new objects.
    private func retryHandOver(
        _ save: EncodedSave, _ pending: Set<ManagedObject>, _ keys: inout [AssignedKeys]
    ) throws -> EncodedSave {
        var save = save
        for _ in 0..<Self.maximumRetries {
            let chosen = Set(save.work.all.flatMap(\.objects))
            let known = pending.union(chosen)
            let work = try makeSelection(
                chosen.union(graph.changes.objects.filter { $0.hasChanges && !known.contains($0) }))
            if graph.hasTemporaryKeys { keys.append(try IdentityStage(graph: graph).assignKeys(work)) }
            // A merged object may break rules that neither version broke.
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
            "The save conflicted \(Self.maximumRetries) times with saves of other contexts and was stopped. Nothing was saved.",
            remedy: "Save again.")
    }

    /// Resolves conflicts according to the merge policy, or throws those that it doesn't resolve.
    private func resolve(_ conflicts: [RowConflict]) throws {
        let policies = ConflictResolution(graph: graph, policy: policy)
        var resolutions: [() throws -> Void] = []
        // Deleted objects are detached last: related objects still have to find them in order to revert their own
        // changes.
        var detachments: [() throws -> Void] = []
        var remaining: [SaveConflict] = []
        for conflict in conflicts {
            guard let resolution = try policies.resolution(of: conflict) else {
                remaining.append(try ConflictDescription(graph: graph).describe(conflict))
                continue
            }
            if conflict.reason == .deleted {
                detachments.append(resolution)
            } else {
                resolutions.append(resolution)
            }
        }
        guard let first = remaining.first else { return try (resolutions + detachments).forEach { try $0() } }
        throw StoreError(
            first.code,
            "\(first.sentenceAboutSave) Nothing was saved.",
            remedy: remedy(for: remaining),
            conflicts: remaining)
    }
}

extension ConflictStage {
    /// Returns the remedies for unresolved conflicts, each once.
    private func remedy(for conflicts: [SaveConflict]) -> String {
        var remedies: [String] = []
        for conflict in conflicts {
            let text = remedy(for: conflict)
            if !remedies.contains(text) { remedies.append(text) }
        }
        return remedies.joined(separator: " ")
    }

    /// Returns the remedy for a conflict.
    ///
    /// A refresh helps only if the store still has the object, and neither it nor a merge policy against a duplicate.
    private func remedy(for conflict: SaveConflict) -> String {
        switch conflict.kind {
        case .changed: "Refresh the objects and save again, or set the context's mergePolicy."
        case .deleted:
            "Delete the objects here too that another save deleted, or set a mergePolicy: "
                + "storeWins discards their changes, objectWins inserts them again."
        case .duplicate where isNew(conflict.objectID):
            "Give the new objects other values, or delete them and change the existing objects instead."
        case .duplicate: "Give the objects other values."
        case .missingReference: "Let the objects refer to others that exist."
        case .denied: StoreError.denialRemedy
        }
    }

    private func isNew(_ id: ObjectID) -> Bool {
        guard let rootIndex = try? graph.rootIndex(of: id) else { return false }
        return graph.identities.object(id.key, rootIndex: rootIndex)?.state == .inserted
    }
}

extension SaveConflict {
    /// What is wrong with a save that has this conflict.
    fileprivate var sentenceAboutSave: String {
        switch kind {
        case .changed, .deleted: "The save conflicts with changes that another context or process has saved."
        case .duplicate: "The save would make objects with equal unique values."
        case .missingReference: "The save refers to objects that don't exist."
        case .denied: "The save would delete objects that others still refer to."
        }
    }

    /// The error code of the conflict.
    var code: StoreError.Code {
        switch kind {
        case .changed, .deleted: .conflict
        case .duplicate: .duplicate
        case .missingReference: .missingReference
        case .denied: .validation
        }
    }
}
