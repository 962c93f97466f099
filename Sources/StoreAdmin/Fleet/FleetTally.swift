import ContextCore

/// Counts the tenants of a fleet run by outcome, and makes the summary and the exit code.
struct FleetTally: Sendable, Equatable {
    /// The names of a command's outcomes in its summary, such as “migrated” and “up to date”.
    typealias Words = [TenantResult.Outcome: String]

    /// The number of selected tenants.
    let total: Int
    /// Whether the run exits with 2 if a tenant needs attention.
    var failsOnAttention = true
    private var counts: [TenantResult.Outcome: Int] = [:]
    /// The tenants whose work failed, in the order of the failures.
    private(set) var failed: [String] = []

    init(total: Int, failsOnAttention: Bool = true) {
        self.total = total
        self.failsOnAttention = failsOnAttention
    }

    mutating func record(_ outcome: TenantResult.Outcome, of tenant: String) {
        counts[outcome, default: 0] += 1
        if outcome == .failed { failed.append(tenant) }
    }

    /// Returns the number of tenants with an outcome.
    func count(_ outcome: TenantResult.Outcome) -> Int { counts[outcome] ?? 0 }

    /// The number of tenants that were not started.
    var notStartedCount: Int { total - counts.values.reduce(0, +) }

    /// The exit code, unless a signal stopped the run.
    var exit: ExitCode {
        let isFine = failed.isEmpty && (count(.attention) == 0 || !failsOnAttention)
        return isFine ? .success : .differences
    }

    /// Returns the counts, such as `1,998 migrated, 1 up to date, 1 failed`, and the names of the tenants that failed.
    func text(_ words: Words) -> String {
        let named = words.merging([.failed: "failed", .stopped: "stopped"]) { own, _ in own }
        var parts = TenantResult.Outcome.allCases.compactMap { outcome in
            count(outcome) == 0
                ? nil : "\(Quantity.count(count(outcome))) \(named[outcome] ?? outcome.rawValue)"
        }
        if notStartedCount > 0 { parts.append("\(Quantity.count(notStartedCount)) not started") }
        let names = failed.isEmpty ? "" : "failed: \(failed.sortedByBytes { $0 }.joined(separator: ", "))\n"
        return (parts.isEmpty ? "no tenants" : parts.joined(separator: ", ")) + "\n" + names
    }

    var json: JSONValue {
        var members = Dictionary(
            uniqueKeysWithValues: TenantResult.Outcome.allCases.map {
                ($0.rawValue, JSONValue.int(count($0)))
            })
        members["left"] = .int(notStartedCount)
        return .object(members)
    }
}
