/// Saves what a context has changed to its parent: all of it, or nothing.
struct SavePipeline {
    let graph: ObjectGraph
    let name: String?
    let author: String?
    let policy: MergePolicy

    /// Saves some objects, or all that have changed.
    ///
    /// When it throws, the objects are as they were, with their changes still pending.
    ///
    /// - Parameter leave: Somebody who may save later.
    func save(only selection: Set<ManagedObject>?, leaving leave: Leaving?) throws {
        try graph.throwDeferredError()
        try whileSaving { try followingStore { try saveWhole(selection, leave) } }
    }

    /// Lets objects follow the store first that others have changed, and in which nothing is pending any more: the other ends of their
    /// relationships are to be saved as the store has these.
    private func followingStore(_ body: () throws -> Void) throws {
        let merging = ChangeMerging(graph: graph)
        guard merging.isBehind, graph.longLivedParent?.heldMoment == nil else { return try body() }
        let before = GraphMemento(graph)
        do {
            try merging.catchUp()
            try body()
        } catch {
            before.restore()
            throw error
        }
    }

    /// Somebody who may take a save and do it later.
    // Not a property: what is left holds the pipeline, and whoever takes it holds that.
    struct Leaving {
        /// Whether he would take these changes.
        let takes: (ChangeSet) -> Bool
        let take: (LeftSave) -> Void
    }

    private func whileSaving(_ body: () throws -> Void) rethrows {
        if graph.notesUndo { graph.undo?.beginSave() }
        graph.followers.isSaving = true
        defer {
            if graph.notesUndo { graph.undo?.endSave() }
            graph.followers.isSaving = false
        }
        // What a save has to look at is no fault of the program's.
        try graph.withoutFaultingPolicy(body)
    }

    private func saveWhole(_ selection: Set<ManagedObject>?, _ leave: Leaving?) throws {
        if selection != nil || !graph.mayLeaveDependentsUnseen || graph.unseen.isPartlySeen {
            graph.seeDependents()
        }
        var work = try settled(selection)
        let changes = graph.changeCount
        var derivation = DerivationStage(graph: graph)
        var identities: AssignedKeys?
        do {
            try derivation.derive(work)
            if graph.changeCount != changes { work = try selected(selection) }
            if work.isEmpty { return graph.pruneChanges() }
            let hadUnseen = graph.hasUnseenDependents
            try ValidationStage(graph: graph).validate(work)
            // A rule or a hook has looked at dependents, which are objects to be deleted like all others now.
            if hadUnseen, !graph.hasUnseenDependents { return try saveWhole(selection, leave) }
            let unseen = hadUnseen ? try unseenRows() : []
            identities = try IdentityStage(graph: graph).assignKeys(work)
            graph.messenger?.tell(.willSave, graph.messenger?.effects(of: work))
            let leavesDerivations = leavesDerivations(selection)
            let conflicts = ConflictStage(
                graph: graph, policy: policy, select: { try selected(selection == nil ? nil : $0) },
                encode: { try encode($0, [], leavesDerivations) })
            let save = try encode(work, unseen, leavesDerivations)
            if let leave, isLeft(save, conflicts, to: leave) { return }
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
        graph.messenger?.tell(.didSave, effects)
    }

    /// Leaves a save to somebody who does it later, if he may: nobody is to be told of it then, and no class of the objects does anything
    /// after a save, which would belong to the same transaction.
    private func isLeft(_ save: EncodedSave, _ conflicts: ConflictStage, to leave: Leaving) -> Bool {
        guard graph.messenger == nil, graph.undo == nil, !graph.isFollowed,
            leave.takes(save.changes),
            !save.work.all.contains(where: \.entity.mayHearOfSaves)
        else { return false }
        leave.take(
            LeftSave(changes: save.changes) {
                whileSaving { publish(save) }
            } saveAlone: {
                try whileSaving { publish(try conflicts.handOver(save)) }
            })
        return true
    }

    /// Whether the store's transaction works out derived attributes: others may have saved what they depend on since it was fetched,
    /// or they depend on objects that aren't saved.
    private func leavesDerivations(_ selection: Set<ManagedObject>?) -> Bool {
        !graph.parent.wantsBaseRows && (!graph.parent.keepsOthersOut || selection != nil)
    }

    private func encode(
        _ work: SaveWork, _ unseen: [ChangeSet.Deletion], _ leavesDerivations: Bool
    ) throws -> EncodedSave {
        if graph.undo != nil {
            // Undoing a deletion brings back what is in no row by then.
            for kind in work.deleted { try DeferredValueLoader(graph: graph).loadAll(of: kind.objects) }
        }
        return try EncodingStage(graph: graph, leavesDerivations: leavesDerivations)
            .encode(work, unseen, name: name, author: author)
    }

    private func unseenRows() throws -> [ChangeSet.Deletion] {
        var rows = UnseenRows(graph)
        return try rows.deletions()
    }

    /// Lets objects prepare themselves, again and again until none of them changes anything, and says what is to be saved then.
    private func settled(_ selection: Set<ManagedObject>?) throws -> SaveWork {
        for _ in 0..<100 {
            let work = try selected(selection)
            let changes = graph.changeCount
            for kind in work.all where kind.entity.mayHearOfSaves {
                for object in kind.objects { object.willSave() }
            }
            if graph.changeCount == changes { return work }
        }
        throw StoreError(
            .unsettledSave, "The willSave hooks of this context change objects without end.",
            remedy: "Change a property in willSave only if it has to have another value.")
    }

    /// The work on some objects, and on the new objects that they can't be saved without.
    private func selected(_ selection: Set<ManagedObject>?) throws -> SaveWork {
        guard var chosen = selection else { return SaveWork(graph) }
        var count: Int
        repeat {
            count = chosen.count
            addReferrers(to: &chosen)
            addTargets(to: &chosen)
        } while chosen.count > count
        try graph.throwDeferredError()
        return SaveWork(graph.changes.objects.filter(chosen.contains))
    }

    /// Adds the new objects that chosen ones refer to, and the other ends of their changed one-to-one relationships.
    private func addTargets(to chosen: inout Set<ManagedObject>) {
        var pending = Array(chosen)
        while let object = pending.popLast() {
            for property in object.entity.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany else {
                    continue
                }
                var needed = graph.target(of: object, slot: property.slot).map { [$0] } ?? []
                needed.removeAll { $0.state != .inserted }
                if relationship.isOneToOne { needed += partners(of: object, property.slot) }
                for target in needed where chosen.insert(target).inserted { pending.append(target) }
            }
        }
    }

    /// The changed objects that a changed one-to-one relationship of an object leaves or comes to: both ends are saved together.
    private func partners(of object: ManagedObject, _ slot: Int) -> [ManagedObject] {
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

    /// Adds the changed objects whose rows still refer to what is to be deleted, and those that refer to what is deleted of them.
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

    /// The changed objects by what their rows refer to.
    private func referrersByTarget() -> [ManagedObject: [ManagedObject]] {
        var referrers: [ManagedObject: [ManagedObject]] = [:]
        for object in graph.changes.objects {
            guard object.row >= 0, let group = object.group else { continue }
            for property in object.entity.properties {
                guard let relationship = property.relationship, !relationship.description.isToMany,
                    let key = group.batch.reference(object.place(of: property.slot), at: Int(object.row)),
                    let target = graph.identities.object(
                        key, rootIndex: graph.model.layouts[relationship.destinationIndex].rootIndex)
                else { continue }
                referrers[target, default: []].append(object)
            }
        }
        return referrers
    }
}
