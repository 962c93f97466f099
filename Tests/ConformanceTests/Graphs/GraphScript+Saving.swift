@testable import ContextCore

// Saves, which succeed as a whole or change nothing.
extension GraphScript {
    /// Saves a context in one of three ways, and checks the effect of the save.
    func save(_ step: GraphStep, _ worker: GraphWorker) throws {
        let parent = worker.context.parent == nil ? nil : workers[0]
        let below = parent?.world ?? stored
        let worlds = workers.map { $0.isUnread ? nil : $0.world }
        let changes = workers.map(\.hasChanges)
        let groups = workers.map(\.context.undoNames.count)
        // If another context has changed the same objects, the merge policy decides, whose result is not predicted.
        let expected =
            parent == nil && step.kind != .saveOnly && worker.policyName == "error" && !worker.isUnread
                && worker.pendingLinks.withdrawn.isEmpty
            ? GraphSave(worker).expected(from: stored) : nil
        worker.isUnread = false
        let inserted = worker.insertedNumbers
        do {
            try carryOut(step, worker)
        } catch let error as StoreError {
            append(" fails: \(error.code)")
            try readContexts(after: worker, isEdit: false)
            try readStore()
            for (index, other) in workers.enumerated() {
                if let world = worlds[index] {
                    try expect(
                        .failedSave, other.world, is: known(world, other),
                        ignoring: newlyRead(world, other), "\(other.name) after the failed save")
                }
                try expect(
                    .failedSave, other.hasChanges == changes[index],
                    "\(other.name).hasChanges is \(other.hasChanges) after the failed save")
                try expect(
                    .failedSave, other.context.undoNames.count == groups[index],
                    "\(other.name) has \(other.context.undoNames.count) undo groups, not \(groups[index])")
            }
            return
        }
        try finish(step, worker, parent, below, groups, inserted)
        if let expected {
            try expect(
                .store, stored.withSortedMembers, is: expected, "store after the save of \(worker.name)")
        }
    }

    /// Returns the objects of a context before a failed save, without those that the save found deleted if it had not merged that.
    private func known(_ before: GraphWorld, _ worker: GraphWorker) -> GraphWorld {
        if !worker.isBehind { return before }
        return before.without { worker.world.nodes[$0] == nil && stored.nodes[$0] == nil }
    }

    /// Returns the numbers of objects that a failed save has read for the first time, if the context had not merged their insertion.
    private func newlyRead(_ before: GraphWorld, _ worker: GraphWorker) -> Set<Int> {
        if !worker.isBehind { return [] }
        let below = below(worker)
        return Set(worker.world.nodes.keys.filter { before.nodes[$0] == nil && below.nodes[$0] != nil })
    }

    private func carryOut(_ step: GraphStep, _ worker: GraphWorker) throws {
        switch step.kind {
        case .saveOnly:
            let context = worker.context
            let all = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
            let chosen = all.sorted { ($0.rootIndex, $0.key) < ($1.rootIndex, $1.key) }.enumerated().filter {
                (step.c >> ($0.offset % 8)) % 2 == 0
            }.map(\.element)
            write(worker, "save only \(chosen.map { worker.label($0) }.joined(separator: ", "))")
            try context.save(only: chosen)
        case .saveToStore where worker.context.parent != nil:
            write(worker, "save to the store")
            try worker.context.saveToStore()
        case .failingSave:
            let number = step.c % 8
            write(worker, "save, failing at call \(number)")
            try coordinator.failing(atCall: number) { try worker.context.save() }
        default:
            write(worker, "save")
            try worker.context.save()
        }
    }

    private func finish(
        _ step: GraphStep, _ worker: GraphWorker, _ parent: GraphWorker?, _ below: GraphWorld,
        _ groups: [Int],
        _ inserted: Set<Int>
    ) throws {
        let insertedInParent = parent?.insertedNumbers ?? []
        try readStore()
        try readContexts(after: worker, isEdit: false)
        if let parent {
            let restores = parent.world.nodes.keys.contains {
                below.nodes[$0] == nil && !inserted.contains($0)
            }
            // A parent restores an object with the links that it had, which the child hasn't read.
            if restores { worker.isBehind = true }
            // The save of a child is one undo group of its parent. Its undo deletes an object that the save has restored, by the delete
            // rules, which also apply to objects that were linked to it after its first deletion.
            if parent.context.undoNames.count > groups[0] {
                parent.history.append(restores ? nil : below.withoutDerived)
            }
            forgetHistory(of: parent, losing: below.nodes.keys.filter { !insertedInParent.contains($0) })
        }
        let isAll = step.kind != .saveOnly
        if isAll { try expect(.emptySave, !worker.hasChanges, "\(worker.name) has changes after its save") }
        if step.kind == .saveToStore, let parent {
            (worker.pendingLinks, parent.pendingLinks) = (GraphLinks.Changes(), GraphLinks.Changes())
            return
        }
        let after = parent?.world ?? stored
        var changes = worker.pendingLinks
        // A save of some objects saves links that the deletion of others has removed from them.
        let deleted = Set(worker.context.deletedObjects.map { worker.number(of: $0) })
        changes.removed.formUnion(
            GraphLinks(below).links.filter { deleted.contains($0.owner) || deleted.contains($0.member) })
        let violation = GraphLinks(after).violation(
            after: below, changes, in: after, addsAll: isAll && worker.policyName == "error")
        try expect(.links, violation == nil, violation ?? "")
        if worker.policyName == "rollback" { worker.pendingLinks.drop(besides: GraphLinks(worker.world)) }
        parent?.pendingLinks.record(from: GraphLinks(below), to: GraphLinks(after))
        if isAll {
            worker.pendingLinks = GraphLinks.Changes()
            return
        }
        worker.pendingLinks = GraphLinks(after).unsaved(
            worker.pendingLinks, shown: GraphLinks(worker.world), after: GraphLinks(below)
        ) {
            below.nodes[$0] == nil && after.nodes[$0] != nil
        } isPending: {
            worker.hasPending($0)
        }
    }
}

extension GraphWorker {
    /// Returns the name of an object in reports.
    func label(_ number: Int) -> String { "\(world.nodes[number]?.kind ?? "?")\(number)" }

    /// Returns the name of an object in reports.
    func label(_ object: ManagedObject) -> String {
        "\(object.entityLayout.name)\(number(of: object))"
    }
}
