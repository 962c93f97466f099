@testable import ContextCore

/// A short program on a store in memory, in one schedule.
struct SeededOrder {
    let seed: UInt64
    var bug: PlantedBug?

    /// What the checker has to say of it.
    func violations(_ model: ObjectModel) -> [String] {
        let scheduler = SeededScheduler(seed: seed)
        let lanes = 1 + scheduler.roll(2)
        let isParallel = lanes > 1 && scheduler.roll(2) == 0
        let readLimit = 1 + scheduler.roll(3)
        let isExclusive = scheduler.roll(3) == 0
        let coordinator = StagedCoordinator(
            model: model, lanes: lanes, isParallel: isParallel, scheduler: scheduler, bug: bug)
        let options = StoreOptions(
            readLimit: readLimit + (bug == .letsTooManyRead ? 1 : 0), writeLimit: 2,
            discipline: isExclusive && bug != .forgetsDiscipline ? .exclusive : .snapshot,
            groupsCommits: scheduler.roll(4) > 0)
        let found = Guarded<[String]>([])
        let hasEnded = scheduler.run { [self] in
            do {
                let (records, contents) = try await work(
                    coordinator, options, lanes: lanes, seed: UInt64(scheduler.roll(.max)))
                let checker = OrderChecker(
                    isExclusive: isExclusive, hasParallelLanes: isParallel, readLimit: readLimit,
                    contents: contents)
                found.withLock { $0 = checker.violations(records) }
            } catch {
                found.withLock { $0 = ["\(error)"] }
            }
        }
        return hasEnded ? found.withLock { $0 } : ["nobody could go on"]
    }

    private func work(
        _ coordinator: StagedCoordinator, _ options: StoreOptions, lanes: Int, seed: UInt64
    ) async throws -> ([OrderRecord], [Int: OrderContents]) {
        let scheduler = coordinator.scheduler
        let store = try Store(
            coordinator: coordinator, options: options, surroundings: scheduler.surroundings)
        let program = OrderProgram(
            store: store, laneCount: lanes, injected: 15,
            submission: bug == .takesTicketLate ? .late : .awaiting, executor: scheduler,
            contextShare: 6, bug: bug)
        try await program.prepare(follows: bug != .missesMerges)
        coordinator.arm()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<4 { group.addTask { await program.work(task: task, operations: 4, seed: seed) } }
        }
        let contents = try await program.contents()
        await store.close()
        return (program.history.records, contents)
    }
}
