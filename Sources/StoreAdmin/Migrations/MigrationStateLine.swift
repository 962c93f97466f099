import ContextCore

/// Draws the states of a store's migration on one line, with the current one in brackets.
///
/// ```
/// pending → [done]                                        up to date
/// [pending] → done                                        a newer version exists
/// pending → expand → [validate] → waiting → contract → done    stopped in a phase, or running
/// pending → expand → validate → [waiting] → contract → done    both versions are in use
/// ```
struct MigrationStateLine {
    private let run: MigrationState.Run?
    private let isPending: Bool

    /// - Parameters:
    ///   - run: The unfinished migration.
    ///   - isPending: Whether a migration is pending, if none is unfinished.
    init(_ run: MigrationState.Run?, isPending: Bool) {
        self.run = run
        self.isPending = isPending
    }

    var text: String {
        guard let run else { return isPending ? "[pending] → done" : "pending → [done]" }
        let next = run.remainingSteps.first?.phase
        let place = run.waitsForCompletion ? next : MigrationPhase.contract
        var names = ["pending"]
        for phase in Set(run.steps.map(\.phase)).sorted() {
            if phase == place, run.isSharing {
                names.append(run.waitsForCompletion ? "[waiting]" : "waiting")
            }
            let isCurrent = phase == next && !run.waitsForCompletion
            names.append(isCurrent ? "[\(phase.rawValue)]" : phase.rawValue)
        }
        return (names + ["done"]).joined(separator: " → ")
    }
}

extension MigrationState.Run {
    /// Whether programs of both versions can use the store between two of the steps.
    fileprivate var isSharing: Bool { steps.contains { $0.force == .both } }
}
