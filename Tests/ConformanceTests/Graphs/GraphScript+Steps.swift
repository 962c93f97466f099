@testable import ContextCore

extension GraphStep.Kind {
    /// Whether the step may change the store.
    var writes: Bool {
        switch self {
        case .save, .saveOnly, .saveToStore, .failingSave, .pin, .batchUpdate, .batchMove, .batchDelete: true
        default: false
        }
    }

    /// Whether the step may run in a context that isn't read before it.
    ///
    /// - Parameter isCurrent: Whether the store is as it was when the context was read last.
    func runsUnread(isCurrent: Bool) -> Bool {
        switch self {
        case .save, .saveOnly, .saveToStore, .failingSave, .undo, .redo, .undoRedo, .policy, .unload: true
        case .merge, .fetch, .refresh, .refreshAll, .rollback, .pin, .batchUpdate, .batchMove, .batchDelete:
            false
        default: isCurrent
        }
    }
}

extension GraphScript {
    /// Runs one step in a context.
    func run(_ step: GraphStep, _ worker: GraphWorker) throws {
        switch step.kind {
        case .save, .saveOnly, .saveToStore, .failingSave: try save(step, worker)
        case .merge, .fetch, .refresh, .refreshAll, .rollback: try mergeOrRollBack(step, worker)
        case .undo, .redo, .undoRedo: try undoOrRedo(step, worker)
        case .policy:
            let policies: [(String, MergePolicy)] = [
                ("error", .error), ("storeWins", .storeWins), ("objectWins", .objectWins),
                ("overwrite", .overwrite), ("rollback", .rollback), ("custom", Self.customPolicy),
            ]
            let (name, policy) = policies[step.c % policies.count]
            write(worker, "mergePolicy = .\(name)")
            (worker.context.mergePolicy, worker.policyName) = (policy, name)
        case .unload: unload(step, worker)
        case .pin: try pin(step, worker)
        case .batchUpdate, .batchMove, .batchDelete: try runBatch(step, worker)
        default: try edit(step, worker)
        }
    }

    /// A policy with rules for properties: numbers are added up, and texts are the store's.
    private static let customPolicy: MergePolicy = {
        var policy = MergePolicy.error
        for kind in GraphModel.kinds {
            policy.setRule(
                .custom { values in
                    guard case .int(let mine) = values.mine, case .int(let theirs) = values.theirs else {
                        return values.mine
                    }
                    return .int((mine + theirs) % 9)
                }, forEntityNamed: kind, property: "number")
            policy.setRule(.storeWins, forEntityNamed: kind, property: "text")
        }
        return policy
    }()

    /// Turns some objects without changes into faults, which unloads their relationships.
    ///
    /// Until its next step, the context isn't read, so that saves of other contexts meet relationships that aren't loaded.
    private func unload(_ step: GraphStep, _ worker: GraphWorker) {
        // A child's objects are read from its parent, whose step it would be.
        if worker.context.parent != nil { return }
        let numbers = worker.objects.keys.sorted().filter { (step.a >> ($0 % 8)) % 2 == 0 }
        let objects = numbers.compactMap { worker.objects[$0] }.filter { $0.state == .unchanged }
        write(worker, "unload \(objects.map { worker.label($0) }.joined(separator: ", "))")
        for object in objects { worker.context.refault(object) }
        worker.isUnread = true
    }

    // MARK: Edits

    /// Runs an edit as one undo group.
    private func edit(_ step: GraphStep, _ worker: GraphWorker) throws {
        let before = worker.world
        let groups = worker.context.undoNames.count
        let (canRedo, hadChanges) = (worker.context.canRedo, worker.hasChanges)
        let inserted = worker.insertedNumbers
        guard try GraphEdit(step: step, worker: worker, write: { self.write(worker, $0) }).run() else {
            return
        }
        worker.isUnread = false
        worker.context.processPendingChanges()
        if worker.context.undoNames.count > groups { worker.history.append(before.withoutDerived) }
        try readContexts(after: worker, isEdit: true)
        forgetHistory(of: worker, losing: before.nodes.keys.filter { !inserted.contains($0) })
        worker.pendingLinks.record(from: GraphLinks(before), to: GraphLinks(worker.world))
        guard step.kind == .setText || step.kind == .setNumber, worker.world == before else { return }
        try expect(
            .sameValue,
            worker.context.undoNames.count == groups && worker.context.canRedo == canRedo
                && worker.hasChanges == hadChanges,
            "\(worker.name): a value that was there already is a change to be undone or saved, or clears redo"
        )
    }

    // MARK: Undo

    private func undoOrRedo(_ step: GraphStep, _ worker: GraphWorker) throws {
        let before = worker.world
        let context = worker.context
        let inserted = worker.insertedNumbers
        if step.kind == .redo ? !context.canRedo : !context.canUndo { return }
        let wasUnread = worker.isUnread
        worker.isUnread = false
        let expected: GraphWorld?
        switch step.kind {
        case .undo:
            write(worker, "undo")
            context.undo()
            expected = worker.history.undo(from: before.withoutDerived)
        case .redo:
            write(worker, "redo")
            context.redo()
            expected = worker.history.redo(from: before.withoutDerived)
        default:
            write(worker, "undo, redo")
            context.undo()
            context.redo()
            expected = worker.history.leadsBack ? before.withoutDerived : nil
        }
        try readContexts(after: worker, isEdit: true)
        let hasLost = forgetHistory(of: worker, losing: before.nodes.keys.filter { !inserted.contains($0) })
        worker.pendingLinks.record(
            from: GraphLinks(before), to: GraphLinks(worker.world), isUndo: true,
            unread: wasUnread ? GraphLinks(below(worker)) : nil)
        worker.pendingLinks.withdrawn.formUnion(
            GraphLinks(before).links.subtracting(GraphLinks(worker.world).links)
                .intersection(GraphLinks(below(worker)).links))
        // The world before was read before others changed the store.
        if wasUnread { worker.history.invalidate() }
        guard let expected, !worker.isBehind, !hasLost else { return }
        let rule: GraphDifference.Rule = step.kind == .undo ? .undo : .redo
        try expect(rule, worker.world.withoutDerived, is: expected, "\(worker.name) after \(step.kind)")
    }

    /// Clears the expected worlds of undo if a context has lost objects that others have deleted, since they have no changes any more.
    ///
    /// - Parameter numbers: The numbers of the context's objects before, except new ones.
    /// - Returns: Whether the context has lost any of them.
    @discardableResult
    func forgetHistory(of worker: GraphWorker, losing numbers: [Int]) -> Bool {
        let below = below(worker)
        let hasLost = numbers.contains { worker.world.nodes[$0] == nil && below.nodes[$0] == nil }
        if hasLost { worker.history.invalidate() }
        return hasLost
    }

    // MARK: Merging

    private func mergeOrRollBack(_ step: GraphStep, _ worker: GraphWorker) throws {
        switch step.kind {
        case .merge:
            guard worker.mergesByHand else { return }
            write(worker, "merge")
            try worker.mergeByHand()
            try worker.fetchAll()
        case .fetch:
            write(worker, "fetch all")
            try worker.fetchAll()
        case .refresh: return try step.b % 3 == 0 ? dropChanges(step, worker) : refresh(step, worker)
        case .refreshAll:
            write(worker, "refreshAll")
            try worker.context.refreshAll()
            try worker.fetchAll()
        default:
            write(worker, "rollback")
            worker.context.rollback()
            worker.history.clear()
            worker.pendingLinks = GraphLinks.Changes()
        }
        try readContexts(after: worker, isEdit: false)
        if step.kind == .refreshAll || step.kind == .merge { worker.pendingLinks.follow(below(worker)) }
    }

    private func refresh(_ step: GraphStep, _ worker: GraphWorker) throws {
        guard let number = worker.world.nodes.keys.sorted().dropFirst(step.a % 16).first,
            let object = worker.objects[number]
        else { return }
        write(worker, "refresh \(worker.label(number))")
        do {
            try worker.context.refresh(object)
        } catch let error as StoreError where error.code == .objectNotFound {
            append(" fails, as it is gone")
        }
        try readContexts(after: worker, isEdit: false)
        worker.pendingLinks.follow(below(worker)) { $0.owner == number || $0.member == number }
    }

    /// Refreshes an object that is changed or deleted, and drops its changes.
    private func dropChanges(_ step: GraphStep, _ worker: GraphWorker) throws {
        let context = worker.context
        let changed = context.updatedObjects.union(context.deletedObjects).sorted {
            ($0.rootIndex, $0.key) < ($1.rootIndex, $1.key)
        }
        if changed.isEmpty { return }
        let object = changed[step.a % changed.count]
        let groups = context.undoNames.count
        write(worker, "refresh \(worker.label(object)) without its changes")
        do {
            try context.refresh(object, mergeChanges: false)
            try expect(
                .refresh, try !object.hasChanges || followsOthers(object, worker),
                "\(worker.label(object)) has changes after the refresh")
        } catch let error as StoreError where error.code == .objectNotFound {
            append(" fails, as it is gone")
        }
        context.processPendingChanges()
        // The result of undoing it is not predicted.
        if context.undoNames.count > groups { worker.history.append(nil) }
        try readContexts(after: worker, isEdit: false)
        worker.pendingLinks.drop(besides: GraphLinks(worker.world))
        let number = worker.number(of: object)
        worker.pendingLinks.follow(below(worker)) { $0.owner == number || $0.member == number }
    }

    /// Returns whether an object has only changes that follow from pending changes of other objects.
    ///
    /// Members that others have deleted stay while they have changes, and count as added to the lists of the objects that they refer to.
    /// Members that others have added count as removed if a pending change has moved them. A stored partner is removed if a pending change
    /// has given it another partner or has deleted it.
    private func followsOthers(_ object: ManagedObject, _ worker: GraphWorker) throws -> Bool {
        if object.isDeleted { return false }
        let below = below(worker)
        return try object.changedPropertyNames.allSatisfy { name in
            guard
                let relation = GraphModel.relations(of: object.entityLayout.name).first(where: {
                    $0.name == name
                })
            else { return false }
            if relation.isMany {
                if relation.isLinked { return false }
                return try object.objects(name).contains { below.nodes[worker.number(of: $0)] == nil }
                    || below.links(worker.number(of: object), name).contains {
                        worker.objects[$0]?.changedPropertyNames.contains(relation.inverse) == true
                    }
            }
            let stored = below.links(worker.number(of: object), name).first
            let partner = stored.flatMap { worker.objects[$0] }
            return try !GraphModel.inverse(of: relation).isMany && object.object(name) == nil
                && (stored != nil && partner == nil
                    || partner?.changedPropertyNames.contains(relation.inverse) == true)
        }
    }

    // MARK: Pinning

    /// Pins a context, changes the store, and checks that the context shows the change only after it is unpinned.
    private func pin(_ step: GraphStep, _ worker: GraphWorker) throws {
        // A child can't be pinned without its parent.
        if worker.context.parent != nil || !coordinator.capabilities.contains(.concurrentReads) { return }
        write(worker, "pin")
        try worker.context.pin()
        try worker.mergeByHand()
        let pinned = try refreshedWorld(worker)
        try changeStore(step)
        try worker.mergeByHand()
        try worker.context.mergeStoreChanges()
        try expect(
            .pin, try refreshedWorld(worker), is: pinned, "\(worker.name) is pinned, and shows a later change"
        )
        try worker.context.unpin()
        try readStore()
        worker.isBehind = false
        worker.history.invalidate()
        for child in workers where child.context.parent === worker.context { child.isBehind = true }
        try readContexts(after: worker, isEdit: false)
        worker.pendingLinks.follow(stored)
        if !worker.hasChanges {
            try expect(
                .pin, worker.world, is: stored, "\(worker.name) is unpinned, and differs from the store")
        }
    }

    private func refreshedWorld(_ worker: GraphWorker) throws -> GraphWorld {
        try worker.context.refreshAll()
        try worker.fetchAll()
        try worker.read()
        return worker.world
    }

    /// Saves a few changes in a context outside of the script: an item is changed, deleted or inserted, and a queue gets another order.
    private func changeStore(_ step: GraphStep) throws {
        let writer = GraphWorker("writer", store.makeThreadContext(name: "writer"), numbers)
        try writer.fetchAll()
        try writer.read()
        let (items, owners) = (writer.world.numbers(of: "Item"), writer.world.numbers(of: "Owner"))
        guard !items.isEmpty, !owners.isEmpty else { return }
        let (number, owner) = (items[step.a % items.count], try writer[owners[step.b % owners.count]])
        switch step.c % 3 {
        case 0:
            append(", the store deletes \(writer.label(number))")
            writer.context.delete(try writer[number])
        case 1:
            let item = try writer.context.insert("Item")
            append(", the store inserts \(writer.label(item))")
            try item.set("owner", to: owner)
        default:
            append(", the store changes \(writer.label(number))")
            try writer[number].set("number", to: Int64(step.c % 9))
            try writer[number].set("owner", to: owner)
        }
        append(" and reverses the queue of \(writer.label(owner))")
        try owner.set("queue", to: try owner.objects("queue").reversed())
        try writer.context.save()
    }

    // MARK: Batches

    private func runBatch(_ step: GraphStep, _ worker: GraphWorker) throws {
        // A child, and a context with changes, rejects batches.
        if worker.context.parent != nil || worker.hasChanges { return }
        let number = Int64(step.b % 5)
        let predicate = try FetchPredicate("number = %ld", number)
        do {
            switch step.kind {
            case .batchUpdate:
                let kind = GraphModel.kinds[step.a % GraphModel.kinds.count]
                write(worker, "batch update \(kind) where number = \(number): number = \(step.c % 9)")
                try worker.context.batchUpdate(
                    kind, where: predicate, .set(PropertyPath(["number"]), to: Int64(step.c % 9)))
            case .batchMove:
                let name = step.a % 2 == 0 ? "owner" : "line"
                let owners = worker.world.numbers(of: "Owner")
                let owner = owners.isEmpty ? nil : owners[step.c % owners.count]
                write(
                    worker,
                    "batch update Item where number = \(number): \(name) = \(owner.map(worker.label) ?? "nil")"
                )
                try worker.context.batchUpdate(
                    "Item", where: predicate,
                    .set(PropertyPath([name]), to: owner.flatMap { worker.objects[$0]?.objectID }))
            default:
                let kind = GraphModel.kinds[step.a % GraphModel.kinds.count]
                write(worker, "batch delete \(kind) where number = \(number)")
                try worker.context.batchDelete(kind, where: predicate)
            }
        } catch let error as StoreError {
            append(" fails: \(error.code)")
        }
        try readStore()
        try readContexts(after: worker, isEdit: false)
    }
}
