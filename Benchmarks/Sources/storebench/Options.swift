/// A backend that the benchmark can measure.
enum BackendName: String, CaseIterable, Sendable {
    case sqlite, postgres, memory
}

/// The options of the command line.
struct Options: Sendable {
    /// The action of the program.
    enum Action: Sendable {
        /// Times workloads and their baselines.
        case compare
        /// Runs each side once, and compares only their results.
        case check
        /// Measures the cost per row with increasing numbers of rows.
        case scaling
        /// Measures `storectl data copy`.
        case copy
        /// Prints the names of the workloads.
        case list
        /// Counts instructions and allocations, and compares them with the recorded ones.
        case instructions
    }

    var action = Action.compare
    var backend = BackendName.sqlite
    /// The names of the workloads to run; empty for all that have a bar.
    var only: [String] = []
    var rounds = 7
    var scale: Double?
    var isJSON = false
    var peer: Peer?
    /// Whether to record the counts in `Thresholds.json`.
    var records = false
    /// Whether the program runs under a profiler.
    var isProfiled = false

    /// The internal option for a run under a profiler.
    static let profiledOption = "--profiled"

    static let usage = """
        usage: storebench [scaling | copy | workloads] [--backend sqlite|postgres|memory] [--only NAME,...] [--rounds N]
                          [--scale X] [--json] [--peer sqlalchemy] [--check | --instructions [--record]]

        Each workload alternates with the same work in C on libsqlite3 or libpq (with --backend memory, on the
        library's SQLite store) in this process. The ratio is the median of the rounds' ratios.
          scaling         prints the cost per row with 1,000 to 1,000,000 rows, and its growth
          copy            prints the number of rows per second of CPU time that 'storectl data copy' copies
          workloads       prints the names of the workloads
          --check         runs each side once, and compares only their results
          --instructions  counts instructions and allocations under valgrind, and compares them with Thresholds.json
          --record        writes the counts to that file
          --peer          also measures another library, if it is installed
        With --backend postgres and without STORE_TEST_POSTGRES_URL it starts a temporary server.
        Exit codes: 0 every bar is met, 2 a bar is missed, 64 usage error, 70 failure.
        """

    struct UsageError: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "scaling": action = .scaling
            case "copy": action = .copy
            case "workloads": action = .list
            case "--check": action = .check
            case "--instructions": action = .instructions
            case "--json": isJSON = true
            case "--record": records = true
            case Self.profiledOption: isProfiled = true
            default: try parseOption(word, &words)
            }
        }
    }

    /// Parses an option with a value.
    private mutating func parseOption(_ word: String, _ words: inout ArraySlice<String>) throws {
        switch word {
        case "--backend":
            let names = BackendName.allCases.map(\.rawValue).joined(separator: ", ")
            backend = try Self.value(of: word, &words, "one of \(names)", BackendName.init)
        case "--only":
            only = try Self.value(of: word, &words, "names of workloads, separated by commas") {
                $0.split(separator: ",").map(String.init)
            }
        case "--rounds":
            rounds = try Self.value(of: word, &words, "a whole number of at least 1") {
                Int($0).flatMap { $0 >= 1 ? $0 : nil }
            }
        case "--scale":
            scale = try Self.value(of: word, &words, "a number greater than 0 and at most 100") {
                Double($0).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
            }
        case "--peer": peer = try Self.value(of: word, &words, "sqlalchemy", Peer.init)
        default: throw UsageError(description: "there is no option '\(word)'.\n\(Self.usage)")
        }
    }

    private static func value<Value>(
        of word: String, _ words: inout ArraySlice<String>, _ wanted: String, _ read: (String) -> Value?
    ) throws -> Value {
        guard let text = words.popFirst(), let value = read(text) else {
            throw UsageError(description: "\(word) takes \(wanted).\n\(usage)")
        }
        return value
    }
}
