import Foundation

@testable import ContextCore

// Steps that concern the context as a whole, or that only read.
extension RandomGraph {
    /// Runs a step that isn't an edit; returns false for an edit.
    func runWhole(_ step: RandomStep) throws -> Bool {
        try runSaving(step) || runUndo(step) || runRefreshing(step) || runFetching(step)
            || runWithOthers(step)
    }

    private func runSaving(_ step: RandomStep) throws -> Bool {
        switch step.kind {
        case .save: try save()
        case .saveOnly:
            if levels.count > 1 { return try runSaving(RandomStep(kind: .save, a: 0, b: 0, c: 0)) }
            try rollBackDeniedDeletions()
            try context.save(
                only: context.insertedObjects.union(context.updatedObjects).union(context.deletedObjects))
            try recordSave()
        case .saveTwice:
            try save()
            try expect(!context.hasChanges, "There are changes after a save")
            try save()
        case .rollback:
            recordIDs()
            context.rollback()
            world = below
            clearUndoHistory()
        case .makeChild:
            if levels.count < 4 { try makeChild() }
        case .saveChild:
            if levels.count > 1 { try saveChild() } else { try save() }
        case .discardChild:
            if levels.count > 1 { levels.removeLast() }
        case .saveToStore:
            let below = [stored] + levels.dropLast().map(\.world)
            if below.contains(where: { denies(world, $0) }) { return true }
            recordIDs()
            for index in levels.indices.reversed() where index > 0 { try push(from: index) }
            try context.saveToStore()
            recordIDs()
            stored = levels[0].world
        default: return false
        }
        return true
    }

    func save() throws {
        try rollBackDeniedDeletions()
        guard levels.count > 1 else {
            try context.save()
            return try recordSave()
        }
        let parent = levels.count - 2
        let before = levels[parent].context.undoNames.count
        let past = levels[parent].past
        try push(from: parent + 1)
        try context.save()
        levels[parent].context.processPendingChanges()
        if levels[parent].context.undoNames.count == before { levels[parent].past = past }
        try recordSave()
    }

    private func recordSave() throws {
        if levels.count > 1 {
            levels[levels.count - 2].world = world
        } else {
            stored = world
        }
        recordIDs()
    }

    private func makeChild() throws {
        for level in levels { try level.context.obtainPermanentIDs(for: level.context.insertedObjects) }
        recordIDs()
        let child = context.makeChild()
        child.isUndoEnabled = true
        levels.append(Level(context: child, world: world))
    }

    /// Records in the level below that the save of the level above is one undo group.
    private func push(from index: Int) throws {
        let parent = levels[index - 1]
        if parent.world != levels[index].world { levels[index - 1].past.append(parent.world) }
        levels[index - 1].future = []
        levels[index - 1].world = levels[index].world
    }

    func saveChild() throws {
        recordIDs()
        try context.obtainPermanentIDs(for: context.insertedObjects)
        recordIDs()
        try save()
        levels.removeLast()
        dropReferences()
    }

    private func clearUndoHistory() {
        levels[levels.count - 1].past = []
        levels[levels.count - 1].future = []
        removeLostObjects()
    }

    private func runUndo(_ step: RandomStep) throws -> Bool {
        switch step.kind {
        case .undo: undo()
        case .undoTwice:
            undo()
            undo()
        case .redo:
            let level = levels.count - 1
            context.redo()
            guard let next = levels[level].future.popLast() else { return true }
            levels[level].past.append(world)
            world = next
        case .processPendingChanges: context.processPendingChanges()
        default: return false
        }
        recordIDs()
        return true
    }

    private func undo() {
        let level = levels.count - 1
        recordIDs()
        context.undo()
        guard let previous = levels[level].past.popLast() else { return }
        levels[level].future.append(world)
        world = previous
    }

    private func runRefreshing(_ step: RandomStep) throws -> Bool {
        let saved = below.nodes.keys.filter { world.nodes[$0] != nil }.sorted()
        switch step.kind {
        case .refresh:
            if !saved.isEmpty { try context.refresh(try object(saved[step.a % saved.count])) }
        case .refreshAll: try context.refreshAll()
        case .refault:
            guard !saved.isEmpty else { return true }
            let object = try object(saved[step.a % saved.count])
            if !object.hasChanges { context.refault(object) }
        case .reset:
            recordIDs()
            context.reset()
            levels[levels.count - 1].objects = [:]
            world = below
            clearUndoHistory()
        case .dropReferences: dropReferences()
        case .obtainPermanentIDs:
            try context.obtainPermanentIDs(for: context.insertedObjects)
            recordIDs()
        default: return false
        }
        return true
    }

    // MARK: Reading

    private func runFetching(_ step: RandomStep) throws -> Bool {
        let number = Int64(step.b % 5)
        switch step.kind {
        case .fetchAll: try fetch("Item", nil) { _ in true }
        case .fetchFiltered:
            try fetch("Item", FetchPredicate("number >= %ld", number)) { ($0.number ?? -1) >= number }
        case .fetchAcross:
            let world = world
            try fetch("Item", FetchPredicate("box.number = %ld", number)) { node in
                node.links["box"]?.first.flatMap { world.nodes[$0]?.number } == number
            }
        case .fetchAny:
            let world = world
            try fetch("Box", FetchPredicate("ANY items.number = %ld", number)) { node in
                (node.links["items"] ?? []).contains { world.nodes[$0]?.number == number }
            }
        case .fetchSorted, .fetchWindow, .fetchIDs, .count, .pages: try fetchOrdered(step, number)
        case .prefetch:
            let request = FetchRequest<ManagedObject>(
                entityName: "Box", prefetching: ["items.tags", "parts", "lid", "queue"])
            for box in try context.fetch(request) { _ = try box.objects("items") }
        case .readOne: if let id = world.nodes.keys.sorted().dropFirst(step.a % 7).first { try compare(id) }
        case .readAll: try compareAll()
        case .readFresh: try compareFresh()
        default: return false
        }
        return true
    }

    private func fetch(
        _ kind: String, _ predicate: FetchPredicate?, where isMeant: (RandomWorld.Node) -> Bool
    ) throws {
        let found = try context.fetch(FetchRequest<ManagedObject>(entityName: kind, where: predicate))
        let expected = try world.ids(kind).filter { world.nodes[$0].map(isMeant) ?? false }.map {
            try object($0)
        }
        try expect(
            Set(found) == Set(expected) && found.count == expected.count,
            "\(kind) where \(predicate.map(\.description) ?? "TRUE"): \(names(found)), not \(names(expected))"
        )
    }

    private func fetchOrdered(_ step: RandomStep, _ number: Int64) throws {
        var request = FetchRequest<ManagedObject>(
            entityName: "Item", where: try FetchPredicate("number != %ld", number),
            order: [SortKey("number", isDescending: step.a % 2 == 0), try SortKey("text")])
        if step.kind != .fetchSorted {
            request.offset = step.b % 3
            request.limit = step.c % 4
        }
        let all = world.ids("Item").filter { world.nodes[$0]?.number != number }
        let count = max(0, min(all.count - request.offset, request.limit ?? .max))
        switch step.kind {
        case .count: try expect(try context.count(request) == count, "The count is not \(count)")
        case .fetchIDs: try expect(try context.fetchIDs(request).count == count, "Not \(count) identifiers")
        case .pages:
            request.batchSize = 2
            try expectOrder(Array(try context.fetchPages(request)), all, request)
        default: try expectOrder(try context.fetch(request), all, request)
        }
    }

    private func expectOrder(_ found: [ManagedObject], _ all: [Int], _ request: FetchRequest<ManagedObject>)
        throws
    {
        let isDescending = request.order[0].isDescending
        let rank = { (id: Int) -> (Int64, String) in
            let node = self.world.nodes[id]
            let number = node?.number ?? -1
            return (isDescending ? -number : number, node?.text ?? "")
        }
        let sorted = all.map(rank).sorted { $0 < $1 }.dropFirst(request.offset).prefix(request.limit ?? .max)
        let ranks = try found.map { object -> (Int64, String) in
            let number = try object["number"]
            let value = if case .int(let value) = number { value } else { Int64(-1) }
            guard case .string(let text) = try object["text"] else { return (value, "") }
            return (isDescending ? -value : value, text)
        }
        try expect(ranks.elementsEqual(sorted, by: ==), "The order is \(ranks), not \(Array(sorted))")
    }

    /// Compares a new context with the saved world.
    func compareFresh() throws {
        recordIDs()
        let fresh = Level(context: try Self.context(coordinator), world: stored)
        levels.append(fresh)
        defer { levels.removeLast() }
        try compareAll()
    }
}
