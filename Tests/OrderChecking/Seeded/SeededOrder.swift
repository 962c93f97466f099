package import ContextCore

/// A short program on a store in memory, in one schedule.
package struct SeededOrder {
    let seed: UInt64
    let bug: PlantedBug?

    /// Makes the program of a seed, on a store that has a bug, if that is wanted.
    package init(seed: UInt64, bug: PlantedBug? = nil) {
        self.seed = seed
        self.bug = bug
    }

    /// The model of what the program keeps.
    package static func makeModel() throws -> ObjectModel {
        try ObjectModel([OrderLedger.self, OrderEntry.self])
    }

    /// The first seed by which a bug is found; nil where it is not, in any number of schedules that is worth while.
    package static func seed(finding bug: PlantedBug, _ model: ObjectModel) -> UInt64? {
        (1...3000).first { !SeededOrder(seed: $0, bug: bug).violations(model).isEmpty }
    }

    /// What has happened, and what the checker has to say of it.
    struct Outcome: Sendable {
        var records: [OrderRecord] = []
        var violations: [String] = []
        var pauses = SeededScheduler.Pauses()
        /// What happened to the pool of connections.
        var poolEvents: [PoolEvent] = []
        /// How the program submitted its blocks.
        var submission = OrderProgram.Submission.awaiting
    }

    /// What the checker has to say of it.
    package func violations(_ model: ObjectModel) -> [String] { outcome(model).violations }

    /// Runs the program.
    func outcome(_ model: ObjectModel) -> Outcome {
        let scheduler = SeededScheduler(seed: seed)
        let lanes = 1 + scheduler.roll(2)
        // Lanes are stores of their own, so they have no order that is one, unless that is what is to be found.
        let isParallel = lanes > 1 && bug != .letsLanesRunAtOnce
        let readLimit = 1 + scheduler.roll(3)
        let isExclusive = scheduler.roll(3) == 0
        let coordinator = StagedCoordinator(
            model: model, lanes: lanes, isParallel: isParallel, scheduler: scheduler, bug: bug)
        let options = StoreOptions(
            readLimit: readLimit + (bug == .letsTooManyRead ? 1 : 0), writes: .concurrent(limit: 2),
            discipline: isExclusive && bug != .forgetsDiscipline ? .exclusive : .snapshot,
            groupsCommits: scheduler.roll(4) > 0)
        let submission: OrderProgram.Submission =
            bug == .takesTicketLate ? .late : scheduler.roll(2) == 0 ? .told : .awaiting
        let outcome = Guarded(Outcome())
        let hasEnded = scheduler.run { [self] in
            do {
                let (records, contents) = try await work(
                    coordinator, options, submission, lanes: lanes, seed: UInt64(scheduler.roll(.max)))
                let checker = OrderChecker(
                    isExclusive: isExclusive, hasParallelLanes: isParallel, readLimit: readLimit,
                    refused: coordinator.state.withLock { $0.refused }, contents: contents)
                outcome.withLock {
                    $0 = Outcome(
                        records: records,
                        violations: checker.violations(records) + coordinator.pool.violations,
                        pauses: scheduler.pauses, poolEvents: coordinator.pool.history.events,
                        submission: submission)
                }
            } catch {
                outcome.withLock { $0.violations = ["\(error)"] }
            }
        }
        return hasEnded ? outcome.withLock { $0 } : Outcome(violations: ["nobody could go on"])
    }

    private func work(
        _ coordinator: StagedCoordinator, _ options: StoreOptions, _ submission: OrderProgram.Submission,
        lanes: Int, seed: UInt64
    ) async throws -> ([OrderRecord], [Int: OrderContents]) {
        let scheduler = coordinator.scheduler
        let store = try Store(
            coordinator: coordinator, options: options, surroundings: scheduler.surroundings)
        let program = OrderProgram(
            store: store, laneCount: lanes, injected: 15,
            submission: submission, executor: scheduler, contextShare: 6, retries: 2,
            bug: bug)
        try await program.prepare(follows: bug != .missesMerges)
        coordinator.arm(true)
        let closing = scheduler.roll(10) == 0 ? scheduler.roll(100) : nil
        await withTaskGroup(of: Void.self) { group in
            if let closing {
                group.addTask {
                    for _ in 0..<closing { await Task.yield() }
                    coordinator.pool.close()
                }
            }
            group.addTask { await program.watch(looks: 50) }
            for task in 0..<4 { group.addTask { await program.work(task: task, operations: 4, seed: seed) } }
        }
        coordinator.arm(false)
        let contents = try await program.contents()
        await store.close()
        return (program.history.records, contents)
    }
}
