@testable import ContextCore

/// A script of random steps in several contexts of a store, with checks after each step.
///
/// | context | parent | merges | can undo |
/// | --- | --- | --- | --- |
/// | A | the store | automatically | yes |
/// | B | the store | manually | yes |
/// | C | A | by refreshing | yes |
final class GraphScript {
    let numbers = GraphNumbers()
    let workers: [GraphWorker]
    let store: Store
    /// The store's coordinator, which lets saves fail.
    let coordinator: FailingCoordinator
    private let settings: GraphSettings
    /// The contents of the store, as a new context reads them.
    var stored = GraphWorld()
    /// A description of each step.
    private(set) var log: [String] = []

    /// - Parameter coordinator: The coordinator of an empty store.
    init(_ coordinator: any StoreCoordinator, _ settings: GraphSettings) throws {
        self.settings = settings
        self.coordinator = FailingCoordinator(coordinator)
        store = try Store(coordinator: self.coordinator)
        let (a, b) = (store.makeThreadContext(name: "A"), store.makeThreadContext(name: "B"))
        a.automaticallyMergesChanges = true
        let c = a.makeChild(name: "C")
        workers = [
            GraphWorker("A", a, numbers),
            GraphWorker("B", b, numbers, mailbox: store.pipeline.changes.listen()),
            GraphWorker("C", c, numbers),
        ]
        try fill()
    }

    /// Saves the small graph with which every script begins, and fetches it in all contexts.
    private func fill() throws {
        let context = store.makeThreadContext(name: "fill")
        var objects: [ManagedObject] = []
        for (kind, count) in [
            ("Owner", 2), ("Item", 3), ("Tag", 2), ("Badge", 2), ("Part", 1), ("Keeper", 1),
        ] {
            for index in 0..<count {
                let object = try context.insert(kind)
                try object.set("text", to: "\(kind.prefix(1))\(index)")
                try object.set("number", to: Int64(index))
                objects.append(object)
            }
        }
        try objects[2].set("owner", to: objects[0])
        try objects[3].set("owner", to: objects[0])
        try objects[0].set("queue", to: Array(objects[2...4]))
        try objects[2].set("partner", to: objects[3])
        try objects[5].set("items", to: [objects[2]])
        try objects[5].set("ranking", to: Array(objects[2...3]))
        try objects[0].set("badge", to: objects[7])
        try objects[8].set("keeper", to: objects[10])
        try objects[9].set("whole", to: objects[0])
        try context.save()
        for object in objects { _ = numbers.number(of: object) }
        for worker in workers {
            try worker.mergeByHand()
            try worker.fetchAll()
            try worker.read()
            worker.context.isUndoEnabled = true
        }
        try readStore()
    }

    // MARK: Steps

    /// Runs steps, and checks the rules after each of them.
    func run(_ steps: [GraphStep]) throws {
        for step in steps {
            let names = workers.filter { settings.contexts.contains($0.name) }
            let worker = names.isEmpty ? workers[0] : names[step.context % names.count]
            let before = stored
            do {
                try readIfNeeded(worker, before: step)
                try run(step, worker)
            } catch let difference as GraphDifference {
                throw difference
            } catch {
                try expect(.unexpected, false, "\(step) threw \(error)")
            }
            if step.kind.writes, stored == before { try readStore() }
            if stored != before {
                // The undo groups of other contexts are for objects that have changed, even if the values are equal.
                for other in workers where other !== worker {
                    other.isCurrent = false
                    other.history.invalidate()
                    if other.mergesByHand { other.isBehind = true }
                }
            }
            if step.kind == .refreshAll || step.kind == .merge && worker.mergesByHand {
                // The worlds of undo groups follow the merge too, even if the context doesn't show them now.
                if worker.isBehind { worker.history.invalidate() }
                worker.isBehind = false
            }
            for worker in workers where !worker.isUnread { try check(worker) }
            try checkStore()
            try checkFollowing(after: step, worker)
        }
    }

    /// Reads a context that was unloaded, unless the step is meant for such a context.
    private func readIfNeeded(_ worker: GraphWorker, before step: GraphStep) throws {
        if worker.isUnread, !step.kind.runsUnread(isCurrent: worker.isCurrent && !worker.isBehind) {
            try readAgain(worker)
        }
        // A child reads its parent.
        if worker.context.parent != nil, workers[0].isUnread { try readAgain(workers[0]) }
    }

    private func readAgain(_ worker: GraphWorker) throws {
        worker.isUnread = false
        let before = worker.world
        if worker.followsByItself { try worker.fetchAll() }
        try worker.read()
        if before.withoutDerived != worker.world.withoutDerived { worker.history.invalidate() }
    }

    /// Appends the description of a step to the log, before the step runs.
    func write(_ worker: GraphWorker, _ text: String) { log.append("\(worker.name): \(text)") }

    /// Appends to the last line of the log.
    func append(_ text: String) {
        if let last = log.popLast() { log.append(last + text) }
    }

    /// Reads the store with a new context.
    func readStore() throws {
        let reader = GraphWorker("store", store.makeThreadContext(name: "reader"), numbers)
        try reader.fetchAll()
        try reader.read()
        stored = reader.world
    }

    /// Reads every context after a step, and checks that it is consistent.
    ///
    /// - Parameters:
    ///   - actor: The context of the step.
    ///   - isEdit: Whether the step was an edit, an undo or a redo, which the context's undo history records.
    func readContexts(after actor: GraphWorker, isEdit: Bool) throws {
        for worker in workers {
            let before = worker.world
            if worker.followsByItself {
                try worker.context.mergeStoreChanges()
                if worker !== actor { worker.pendingLinks.follow(stored) }
            }
            if worker.isUnread {
                if worker.followsByItself, actor.context.parent == nil {
                    for child in workers where child.context.parent === worker.context {
                        child.isBehind = true
                    }
                }
                continue
            }
            if worker.followsByItself { try worker.fetchAll() }
            try worker.read()
            if !(isEdit && worker === actor), before.withoutDerived != worker.world.withoutDerived {
                worker.history.invalidate()
            }
            if worker.followsByItself, actor.context.parent == nil, before != worker.world {
                for child in workers where child.context.parent === worker.context { child.isBehind = true }
            }
        }
    }

    /// Checks that contexts without changes have the same objects as their parents.
    ///
    /// - Parameter worker: The context of the step.
    func checkFollowing(after step: GraphStep, _ worker: GraphWorker) throws {
        if !workers[0].hasChanges, !workers[0].isUnread {
            try expect(.context, workers[0].world, is: stored, "A has no changes, and differs from the store")
        }
        guard step.kind == .refreshAll || step.kind == .merge && worker.mergesByHand, !worker.hasChanges
        else {
            return
        }
        if worker.context.parent == nil {
            try expect(.context, worker.world, is: stored, "\(worker.name) differs from the store")
        } else {
            try expect(
                .context, worker.world.withoutDerived, is: workers[0].world.withoutDerived,
                "\(worker.name) differs from its parent")
        }
    }

    /// Checks that no context keeps objects after its changes are dropped and nothing refers to them.
    func checkRelease() throws {
        for worker in workers.reversed() { try worker.release() }
        for worker in workers.reversed() {
            let left = worker.context.registeredObjects
            try expect(
                .release, left.isEmpty,
                "\(worker.name) keeps \(left.map { worker.label($0) }.sorted().joined(separator: ", "))")
        }
    }

    /// Returns the contents of a context's parent or of the store.
    func below(_ worker: GraphWorker) -> GraphWorld {
        worker.context.parent == nil ? stored : workers[0].world
    }

    /// Returns whether a rule is checked.
    func isChecked(_ rule: GraphDifference.Rule) -> Bool { !settings.ignoredRules.contains(rule.rawValue) }

    /// Returns whether derived attributes with a name are checked.
    func isChecked(derived name: String) -> Bool { !settings.ignoredRules.contains("derived.\(name)") }

    /// Throws unless a condition holds.
    func expect(_ rule: GraphDifference.Rule, _ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition, isChecked(rule) { throw GraphDifference(rule: rule, text: text()) }
    }

    /// Throws unless two worlds are equal.
    func expect(
        _ rule: GraphDifference.Rule, _ world: GraphWorld, is expected: GraphWorld,
        ignoring ignored: Set<Int> = [], _ text: @autoclosure () -> String
    ) throws {
        if !isChecked(rule) { return }
        guard let difference = world.difference(from: expected, ignoring: ignored) else { return }
        throw GraphDifference(rule: rule, text: "\(text()): \(difference)")
    }
}
