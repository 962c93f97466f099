import ContextCore

/// Counts what became of the tenants of a run.
///
/// It is a value without input or output: results go in, a summary and an exit code come out.
struct FleetTally: Sendable, Equatable {
    /// How a command's summary calls its outcomes: “migrated”, “up to date”.
    typealias Words = [TenantResult.Outcome: String]

    /// How many tenants the run is about.
    let total: Int
    /// Whether tenants that need attention make the run exit with 2.
    var mindsAttention = true
    private var counts: [TenantResult.Outcome: Int] = [:]
    /// The tenants whose work failed, in the order in which it did.
    private(set) var failed: [String] = []

    init(total: Int, mindsAttention: Bool = true) {
        self.total = total
        self.mindsAttention = mindsAttention
    }

    mutating func record(_ outcome: TenantResult.Outcome, of tenant: String) {
        counts[outcome, default: 0] += 1
        if outcome == .failed { failed.append(tenant) }
    }

    /// How many tenants have an outcome.
    func count(_ outcome: TenantResult.Outcome) -> Int { counts[outcome] ?? 0 }

    /// How many tenants were not begun.
    var left: Int { total - counts.values.reduce(0, +) }

    /// What the shell is told, unless a signal stopped the run.
    var exit: ExitCode {
        let isFine = failed.isEmpty && (count(.attention) == 0 || !mindsAttention)
        return isFine ? .success : .differences
    }

    /// How many tenants have which outcome, `1,998 migrated, 1 up to date, 1 failed`, and the names of those that failed.
    func text(_ words: Words) -> String {
        let named = words.merging([.failed: "failed", .stopped: "stopped"]) { own, _ in own }
        var parts = TenantResult.Outcome.allCases.compactMap { outcome in
            count(outcome) == 0
                ? nil : "\(Quantity.count(count(outcome))) \(named[outcome] ?? outcome.rawValue)"
        }
        if left > 0 { parts.append("\(Quantity.count(left)) not begun") }
        let names = failed.isEmpty ? "" : "failed: \(failed.sortedByBytes { $0 }.joined(separator: ", "))\n"
        return (parts.isEmpty ? "no tenants" : parts.joined(separator: ", ")) + "\n" + names
    }

    var json: JSONValue {
        var members = Dictionary(
            uniqueKeysWithValues: TenantResult.Outcome.allCases.map {
                ($0.rawValue, JSONValue.int(count($0)))
            })
        members["left"] = .int(left)
        return .object(members)
    }
}
