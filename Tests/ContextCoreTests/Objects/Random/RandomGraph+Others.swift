import Foundation

@testable import ContextCore

// Steps with changes from outside: by other contexts, by the parent, and by batches in the store.
extension RandomGraph {
    func runWithOthers(_ step: RandomStep) throws -> Bool {
        switch step.kind {
        case .outsideEdit: try saveOverConflict(step) { try setOutside($0, Int64(step.b % 5) + 10) }
        case .outsideDelete: try saveOverConflict(step, deleting: true) { try deleteOutside($0) }
        case .parentEdit: try saveOverParentConflict(step)
        case .batchUpdate: try batchUpdate(step)
        case .batchDelete: try batchDelete(step)
        case .batchInsert: try batchInsert(step)
        case .saveSome: try saveSome(step)
        default: return false
        }
        return true
    }

    // MARK: Other contexts

    /// Changes an object that another context saves first: the save must fail as a whole, and keep all pending changes.
    private func saveOverConflict(
        _ step: RandomStep, deleting: Bool = false, _ other: (Int) throws -> Void
    ) throws {
        let saved = stored.ids("Item").filter { world.nodes[$0] != nil }
        guard levels.count == 1, !saved.isEmpty else { return }
        let id = saved[step.a % saved.count]
        recordIDs()
        try object(id).set("text", to: "mine \(step.c)")
        world.nodes[id]?.text = "mine \(step.c)"
        if step.c % 3 == 0 {
            context.delete(try object(id))
            world.delete(id)
        }
        // Compare now, since loading would read the other context's changes from here on.
        try compareAll()
        try other(id)
        if deleting, world.nodes[id] == nil { return try reset(to: stored) }
        try expectFailure(.conflict, .validation) { try context.save() }
        try compareAll()
        try reset(to: stored)
    }

    /// Resets the context, whose contents are then those of a world.
    private func reset(to world: RandomWorld) throws {
        recordIDs()
        context.reset()
        levels[levels.count - 1].objects = [:]
        self.world = world
        resetUndo()
        try compareAll()
    }

    func resetUndo() {
        context.isUndoEnabled = false
        context.isUndoEnabled = true
        levels[levels.count - 1].past = []
        levels[levels.count - 1].future = []
    }

    private func outside(_ id: Int) throws -> (ObjectContext, ManagedObject) {
        let context = try Self.context(coordinator)
        guard let objectID = ids[id] else { throw Difference(description: "No identifier of \(id).") }
        return (context, try context.object(with: objectID))
    }

    private func setOutside(_ id: Int, _ number: Int64) throws {
        let (context, object) = try outside(id)
        let other = stored.nodes[id]?.number == number ? number + 1 : number
        try object.set("number", to: other)
        try context.save()
        stored.nodes[id]?.number = other
    }

    private func deleteOutside(_ id: Int) throws {
        let (context, object) = try outside(id)
        context.delete(object)
        try context.save()
        stored.delete(id)
    }

    func expectFailure(_ codes: StoreError.Code..., of body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as StoreError where codes.contains(error.code) { return }
        throw Difference(description: "There is no \(codes.map(\.description).joined(separator: " or "))")
    }

    // MARK: The parent context

    /// Changes a property in the child and in its parent: the child's save must fail.
    private func saveOverParentConflict(_ step: RandomStep) throws {
        guard levels.count > 1 else { return }
        let parent = levels.count - 2
        let known = levels[parent].world.ids("Item").filter { world.nodes[$0] != nil }
        guard !known.isEmpty else { return }
        let id = known[step.a % known.count]
        recordIDs()
        try setHere(id, 77)
        let child = levels.removeLast()
        let before = world
        try setHere(id, world.nodes[id]?.number == 55 ? 56 : 55)
        context.processPendingChanges()
        levels[parent].past.append(before)
        levels[parent].future = []
        levels.append(child)
        try expectFailure(.conflict, .validation) { try context.save() }
        try compareAll()
        try reset(to: levels[parent].world)
    }

    private func setHere(_ id: Int, _ number: Int64) throws {
        try object(id).set("number", to: number)
        world.nodes[id]?.number = number
    }

    // MARK: Batches

    private func canBatch() throws -> Bool {
        guard levels.count == 1 else { return false }
        if denies(world, stored) { return false }
        try save()
        return true
    }

    private func batchUpdate(_ step: RandomStep) throws {
        guard try canBatch() else { return }
        let (old, new) = (Int64(step.a % 5), Int64(step.b % 5))
        let result = try context.batchUpdate(
            "Item", where: FetchPredicate("number = %ld", old), .set("number", to: new),
            .set("text", to: "batch"))
        let meant = world.ids("Item").filter { world.nodes[$0]?.number == old }
        try expect(
            result.updated.count == meant.count, "The batch changed \(result.count), not \(meant.count)")
        for id in meant {
            world.nodes[id]?.number = new
            world.nodes[id]?.text = "batch"
        }
        try endBatch()
    }

    private func batchDelete(_ step: RandomStep) throws {
        guard try canBatch() else { return }
        let kind = ["Item", "Part", "Box"][step.b % 3]
        let number = Int64(step.a % 5)
        try context.batchDelete(kind, where: FetchPredicate("number = %ld", number))
        for id in world.ids(kind) where world.nodes[id]?.number == number { world.delete(id) }
        try endBatch()
    }

    private func batchInsert(_ step: RandomStep) throws {
        guard try canBatch() else { return }
        let boxes = world.ids("Box")
        let box = boxes.isEmpty ? nil : boxes[step.b % boxes.count]
        recordIDs()
        let result = try context.batchInsert(
            "Item", (0..<2).map { [.set("number", to: $0), .set("box", to: box.flatMap { ids[$0] })] })
        for (number, objectID) in result.inserted.enumerated() {
            let id = register(objectID, "Item")
            world.nodes[id]?.number = Int64(number)
            world.setOne(id, RandomWorld.relation("Item", "box"), box)
        }
        try endBatch()
    }

    private func endBatch() throws {
        stored = world
        resetUndo()
        removeLostObjects()
        try compareAll()
        try compareFresh()
    }

    // MARK: Partial saves

    /// Saves some of the pending changes: the rest stays pending, and no object in the context changes.
    private func saveSome(_ step: RandomStep) throws {
        guard levels.count == 1, !denies(world, stored) else { return }
        recordIDs()
        let pending = context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects)
        let some = pending.sorted { $0.objectID.description < $1.objectID.description }
            .enumerated().filter { ($0.offset &* 7 &+ step.a) % 3 == 0 }.map(\.element)
        try context.save(only: some)
        recordIDs()
        try compareAll()
        for object in some where !object.isDeleted {
            let fresh = try Self.context(coordinator).existingObject(with: object.objectID)
            try expect(try fresh["number"] == object["number"], "\(object.objectID).number was not saved")
            try expect(try fresh["text"] == object["text"], "\(object.objectID).text was not saved")
        }
        try save()
        try compareFresh()
        resetUndo()
    }

    // MARK: Denied deletions

    /// Returns whether an object that still refers to a deleted one prevents a save.
    func denies(_ world: RandomWorld, _ below: RandomWorld) -> Bool {
        below.nodes.contains { id, node in
            world.nodes[id] == nil
                && RandomWorld.relations.contains { relation in
                    relation.kind == node.kind && relation.denies
                        && world.ids(relation.destination).contains {
                            world.nodes[$0]?.links[relation.inverse]?.contains(id) == true
                        }
                }
        }
    }

    /// Checks that a save with a denied deletion fails and changes nothing; then rolls back.
    func rollBackDeniedDeletions() throws {
        guard denies(world, below) else { return }
        try expectFailure(.validation) { try context.save() }
        try compareAll()
        recordIDs()
        context.rollback()
        world = below
        levels[levels.count - 1].past = []
        levels[levels.count - 1].future = []
        removeLostObjects()
    }
}
