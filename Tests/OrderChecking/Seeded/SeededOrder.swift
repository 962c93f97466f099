package import ContextCore

/// A short program on an in-memory store, in the schedule of a seed.
package struct SeededOrder {
    let seed: UInt64
    let bug: PlantedBug?

    /// Creates the program of a seed.
    ///
    /// - Parameter bug: The bug of the store or the program, if any.
    package init(seed: UInt64, bug: PlantedBug? = nil) {
        self.seed = seed
        self.bug = bug
    }

    /// Creates the model of the program's store.
    package static func makeModel() throws -> ObjectModel {
        try ObjectModel([OrderLedger.self, OrderEntry.self])
    }

    /// Returns the first seed whose schedule reveals a bug; nil if none of the first 3,000 does.
    package static func seed(finding bug: PlantedBug, _ model: ObjectModel) -> UInt64? {
        (1...3000).first { !SeededOrder(seed: $0, bug: bug).violations(model).isEmpty }
    }

    /// The history of a run, and the violations that the checker has found in it.
    struct Outcome: Sendable {
        var records: [OrderRecord] = []
        var violations: [String] = []
        var pauses = SeededScheduler.Pauses()
        /// The history of the pool of connections.
        var poolEvents: [PoolEvent] = []
        /// The way in which the program submitted its blocks.
        var submission = OrderProgram.Submission.awaiting
    }

    /// Runs the program, and returns the violations that the checker has found.
    package func violations(_ model: ObjectModel) -> [String] { outcome(model).violations }

    /// Runs the program, and checks its history.
    func outcome(_ model: ObjectModel) -> Outcome {
        let scheduler = SeededScheduler(seed: seed)
        let lanes = 1 + scheduler.roll(2)
        // Each lane is a separate store with a separate order. With this bug the checker expects one order of all lanes.
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
            bug == .takesTicketLate ? .late : scheduler.roll(2) == 0 ? .callback : .awaiting
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
        return hasEnded ? outcome.withLock { $0 } : Outcome(violations: ["no thread could continue"])
    }

    private func work(
        _ coordinator: StagedCoordinator, _ options: StoreOptions, _ submission: OrderProgram.Submission,
        lanes: Int, seed: UInt64
    ) async throws -> ([OrderRecord], [Int: OrderContents]) {
        let scheduler = coordinator.scheduler
        let store = try Store(
            coordinator: coordinator, options: options, environment: scheduler.environment)
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
