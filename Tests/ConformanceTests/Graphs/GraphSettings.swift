import Foundation

/// The settings of the random scripts, from environment variables.
///
/// | variable | meaning |
/// | --- | --- |
/// | `GRAPH_SEQUENCES` | the number of scripts on an in-memory store; slower stores run fewer |
/// | `GRAPH_STEPS_PER_SEQUENCE` | the number of steps of a script |
/// | `GRAPH_SEED` | the first seed |
/// | `GRAPH_STEPS` | kinds of steps, separated by commas: only those, or, each with a minus, all others |
/// | `GRAPH_RULES` | rules that are not checked, separated by commas, such as `undo,derived.badgeText` |
/// | `GRAPH_FAILURES` | the number of failing scripts after which the test ends |
/// | `GRAPH_CONTEXTS` | the letters of the contexts in use, such as `AB` |
///
/// By default, all contexts execute all kinds of steps.
struct GraphSettings {
    var first: UInt64 = 1
    var count: UInt64 = 10
    var steps = 60
    var kinds = GraphStep.Kind.allCases
    var ignoredRules: Set<String> = []
    var contexts = "ABC"
    var failures = 1

    init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        first = environment["GRAPH_SEED"].flatMap(UInt64.init) ?? first
        count = environment["GRAPH_SEQUENCES"].flatMap(UInt64.init) ?? count
        steps = environment["GRAPH_STEPS_PER_SEQUENCE"].flatMap(Int.init) ?? steps
        failures = environment["GRAPH_FAILURES"].flatMap(Int.init) ?? failures
        contexts = environment["GRAPH_CONTEXTS"] ?? contexts
        ignoredRules = Set(Self.names(environment["GRAPH_RULES"]))
        let names = Self.names(environment["GRAPH_STEPS"])
        let excluded = Set(names.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) })
        let included = Set(names.filter { !$0.hasPrefix("-") })
        kinds = kinds.filter {
            !excluded.contains($0.rawValue) && (included.isEmpty || included.contains($0.rawValue))
        }
    }

    private static func names(_ list: String?) -> [String] {
        (list ?? "").split(separator: ",").map(String.init)
    }
}
