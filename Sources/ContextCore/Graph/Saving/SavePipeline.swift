/// Saves the changes of a context to its parent atomically.
struct SavePipeline {
    let graph: ObjectGraph
    let name: String?
    let author: String?
    let policy: MergePolicy

    /// Saves the given objects, or all changed objects.
    ///
    /// If it throws, the objects and their pending changes are as before.
    ///
    /// - Parameters:
    ///   - selection: The objects to save; nil for all that have changed.
    ///   - leave: The receiver to which the save may be deferred; nil if it must be applied now.
    func save(only selection: Set<ManagedObject>?, deferringTo deferral: DeferredSaveReceiver?) throws {
        try graph.throwDeferredError()
        try whileSaving { try updatingOutdatedObjects { try runStages(selection, deferral) } }
    }

    /// Updates objects that the store has changed and that no longer have pending changes, and then runs the closure.
    ///
    /// Otherwise, the save would write the inverses of their relationships as they were before the store's change.
    private func updatingOutdatedObjects(_ body: () throws -> Void) throws {
        let merging = ChangeMerging(graph: graph)
        guard merging.hasOutdatedObjects, graph.longLivedParent?.hasPinnedSnapshot != true else {
            return try body()
        }
        let before = GraphMemento(graph)
        do {
            try merging.updateOutdatedObjects()
            try body()
        } catch {
            before.restore()
            throw error
        }
    }

    /// The receiver of a deferred save.
    // Not a property of the pipeline: the deferred save retains the pipeline, and the receiver retains the save.
    struct DeferredSaveReceiver {
        /// Whether the receiver accepts the changes.
        let accepts: (ChangeSet) -> Bool
        let receive: (DeferredSave) -> Void
    }

    /// Runs a closure as part of a save: undo records its changes with the last group, and followers are not notified.
    private func whileSaving(_ body: () throws -> Void) rethrows {
        if graph.recordsUndo { graph.undo?.beginSave() }
        graph.followers.isSaving = true
        defer {
            if graph.recordsUndo { graph.undo?.endSave() }
            graph.followers.isSaving = false
        }
        // Reads of a save are exempt from the program's faulting policy.
        try graph.withoutFaultingPolicy(body)
    }

    private func runStages(_ selection: Set<ManagedObject>?, _ deferral: DeferredSaveReceiver?) throws {
        if selection != nil || !graph.canLeaveDependentsUnloaded || graph.unloadedDependents.isPartlyLoaded {
            graph.loadDependents()
        }
        var work = try callWillSave(selection)
        let changes = graph.changeCount
        var derivation = DerivationStage(graph: graph)
        var identities: AssignedKeys?
        do {
            try derivation.derive(work)
            if graph.changeCount != changes { work = try makeSelection(selection) }
            if work.isEmpty { return graph.pruneChanges() }
            let hadUnloadedDependents = graph.hasUnloadedDependents
            try ValidationStage(graph: graph).validate(work)
            // A rule or a hook has loaded the dependents, which are now deleted like other objects.
            if hadUnloadedDependents, !graph.hasUnloadedDependents {
                return try runStages(selection, deferral)
            }
            let unloadedDependents = hadUnloadedDependents ? try unloadedDependentDeletions() : []
            identities = try IdentityStage(graph: graph).assignKeys(work)
            graph.messenger?.publish(.willSave, graph.messenger?.effects(of: work))
            let defersDerivations = defersDerivations(selection)
            let conflicts = ConflictStage(
                graph: graph, policy: policy,
                makeSelection: { try makeSelection(selection == nil ? nil : $0) },
                encode: { try encode($0, [], defersDerivations) })
            let save = try encode(work, unloadedDependents, defersDerivations)
            if let deferral, deferSave(save, conflicts, to: deferral) { return }
            publish(try conflicts.handOver(save))
        } catch {
            let failure = identities?.revert(in: graph, after: error) ?? error
            derivation.revert()
            throw failure
        }
    }

    private func publish(_ saved: EncodedSave) {
        let effects = graph.messenger?.effects(of: saved.work)
        PublishStage(graph: graph).publish(saved)
        graph.messenger?.publish(.didSave, effects)
    }

    /// Defers a save to the receiver if it accepts the save, and no message, undo history, follower or hook has to run
    /// after the save.
    ///
    /// - Returns: Whether the save was deferred.
    private func deferSave(_ save: EncodedSave, _ conflicts: ConflictStage, to deferral: DeferredSaveReceiver)
        -> Bool
    {
        guard graph.messenger == nil, graph.undo == nil, !graph.isFollowed,
            deferral.accepts(save.changes),
            !save.work.all.contains(where: \.entity.hasSaveHooks)
        else { return false }
        deferral.receive(
            DeferredSave(changes: save.changes) {
                whileSaving { publish(save) }
            } saveAlone: {
                try whileSaving { publish(try conflicts.handOver(save)) }
            })
        return true
    }

    /// Whether the store's transaction calculates derived attributes.
    ///
    /// It does if other transactions may have changed the values that they are derived from, or if the save doesn't
    /// include all of these.
    private func defersDerivations(_ selection: Set<ManagedObject>?) -> Bool {
        !graph.parent.needsBaseRows && (!graph.parent.excludesOtherWriters || selection != nil)
    }

    private func encode(
        _ work: SaveSelection, _ unloadedDependents: [ChangeSet.Deletion], _ defersDerivations: Bool
    ) throws -> EncodedSave {
        if graph.undo != nil {
            // Undoing a deletion inserts the values again, which are not in the store by then.
            for kind in work.deleted { try DeferredValueLoader(graph: graph).loadAll(of: kind.objects) }
        }
        return try EncodingStage(graph: graph, defersDerivations: defersDerivations)
            .encode(work, unloadedDependents, name: name, author: author)
    }

    private func unloadedDependentDeletions() throws -> [ChangeSet.Deletion] {
        var rows = UnloadedDependentRows(graph)
        return try rows.deletions()
    }

    /// Calls `willSave` until no hook changes an object, and returns the objects to save.
    private func callWillSave(_ selection: Set<ManagedObject>?) throws -> SaveSelection {
        for _ in 0..<100 {
            let work = try makeSelection(selection)
            let changes = graph.changeCount
            for kind in work.all where kind.entity.hasSaveHooks {
                for object in kind.objects { object.willSave() }
            }
            if graph.changeCount == changes { return work }
        }
        throw StoreError(
            .endlessWillSave,
            "The willSave hooks of the context's objects changed objects in 100 rounds and were stopped.",
            remedy: "In willSave, set a property only if its new value differs from the current one.")
    }

    /// Returns the changed objects of a selection, with the objects that must be saved with them; nil selects all
    /// changed objects.
    private func makeSelection(_ selection: Set<ManagedObject>?) throws -> SaveSelection {
        guard var chosen = selection else { return SaveSelection(graph) }
        var count: Int
        repeat {
            count = chosen.count
            addReferrers(to: &chosen)
            addTargets(to: &chosen)
        } while chosen.count > count
        try graph.throwDeferredError()
        return SaveSelection(graph.changes.objects.filter(chosen.contains))
    }

    /// Adds the new objects that the chosen ones reference, and the changed objects of their changed one-to-one
    /// relationships.
    private func addTargets(to chosen: inout Set<ManagedObject>) {
        var pending = Array(chosen)
        while let object = pending.popLast() {
            for property in object.entity.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany else {
                    continue
                }
                var needed = graph.target(of: object, slot: property.slot).map { [$0] } ?? []
                needed.removeAll { $0.state != .inserted }
                if relationship.isOneToOne { needed += oneToOneTargets(of: object, property.slot) }
                for target in needed where chosen.insert(target).inserted { pending.append(target) }
            }
        }
    }

    /// Returns the changed objects that are or were the target of a changed one-to-one relationship, because both must
    /// be saved together.
    private func oneToOneTargets(of object: ManagedObject, _ slot: Int) -> [ManagedObject] {
        guard object.state == .deleted || object.overlay?.slots[slot].isDirty == true,
            let relationship = object.entity.properties[slot].relationship
        else { return [] }
        let former = object.row >= 0 ? graph.committedKey(of: object, slot: slot) : nil
        let rootIndex = graph.model.layouts[relationship.destinationIndex].rootIndex
        return [
            graph.rawTarget(of: object, slot: slot),
            former.flatMap { graph.identities.object($0, rootIndex: rootIndex) },
        ].compactMap { $0 }.filter(\.hasChanges)
    }

    /// Adds the changed objects whose rows still refer to deleted objects of the selection, transitively.
    private func addReferrers(to chosen: inout Set<ManagedObject>) {
        var pending = chosen.filter { $0.state == .deleted }
        if pending.isEmpty { return }
        let referrers = referrersByTarget()
        while let deleted = pending.popFirst() {
            for referrer in referrers[deleted] ?? []
            where chosen.insert(referrer).inserted && referrer.state == .deleted {
                pending.insert(referrer)
            }
        }
    }

    /// Groups the changed objects by the targets in their rows.
    private func referrersByTarget() -> [ManagedObject: [ManagedObject]] {
        var referrers: [ManagedObject: [ManagedObject]] = [:]
        for object in graph.changes.objects {
            guard object.row >= 0, let group = object.group else { continue }
            for property in object.entity.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany,
                    let key = group.batch.reference(object.location(of: property.slot), at: Int(object.row)),
                    let target = graph.identities.object(
                        key, rootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex)
                else { continue }
                referrers[target, default: []].append(object)
            }
        }
        return referrers
    }
}
