/// A backend that the benchmark can measure.
enum BackendName: String, CaseIterable, Sendable {
    case sqlite, postgres, memory
}

/// What the command line asked for.
struct Options: Sendable {
    /// What is done.
    enum Action: Sendable {
        /// Workloads are timed beside the baseline.
        case compare
        /// Each side works once, and only their coming to the same counts.
        case check
        /// The cost of a row is measured at growing numbers of rows.
        case scaling
        /// A whole store is copied by `storectl data copy`.
        case copy
        /// The workloads' names are printed.
        case list
        /// Instructions and allocations are counted, and compared with those on file.
        case instructions
    }

    var action = Action.compare
    var backend = BackendName.sqlite
    /// The workloads that are wanted; empty for all that have a bar.
    var only: [String] = []
    var rounds = 7
    var scale: Double?
    var isJSON = false
    var peer: Peer?
    /// Whether what is counted is put on file.
    var records = false
    /// Whether a profiler listens for where measuring begins and ends.
    var isProfiled = false

    /// What a profiler's run is told by; nobody else needs it.
    static let profiled = "--profiled"

    static let usage = """
        usage: storebench [scaling | copy | workloads] [--backend sqlite|postgres|memory] [--only NAME,...] [--rounds N]
                          [--scale X] [--json] [--peer sqlalchemy] [--check | --instructions [--record]]

        Each workload runs beside the same work in C on libsqlite3 or libpq (or, with --backend memory, beside our
        own SQLite store), in turns, in this process. The ratio is the median of the rounds' ratios.
          scaling         prints the cost of a row at 1,000 to 1,000,000 rows, and how much it grows
          copy            prints how many rows a second of CPU 'storectl data copy' moves between backends
          workloads       prints the workloads' names
          --check         lets each side work once; only their coming to the same counts
          --instructions  counts instructions and allocations under valgrind, and compares them with Thresholds.json
          --record        writes what was counted into that file
          --peer          measures another library as well, where it is installed
        With --backend postgres and no STORE_TEST_POSTGRES_URL it starts a server of its own.
        Exit codes: 0 every bar is held, 2 one is missed, 64 wrong use, 70 something failed.
        """

    struct Misuse: Error, CustomStringConvertible {
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
            case Self.profiled: isProfiled = true
            default: try take(word, &words)
            }
        }
    }

    /// Takes an option that has a value.
    private mutating func take(_ word: String, _ words: inout ArraySlice<String>) throws {
        switch word {
        case "--backend":
            let names = BackendName.allCases.map(\.rawValue).joined(separator: ", ")
            backend = try Self.value(of: word, &words, "one of \(names)", BackendName.init)
        case "--only":
            only = try Self.value(of: word, &words, "workloads' names, with commas between them") {
                $0.split(separator: ",").map(String.init)
            }
        case "--rounds":
            rounds = try Self.value(of: word, &words, "a number from 1") {
                Int($0).flatMap { $0 >= 1 ? $0 : nil }
            }
        case "--scale":
            scale = try Self.value(of: word, &words, "a number above 0, 100 at most") {
                Double($0).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
            }
        case "--peer": peer = try Self.value(of: word, &words, "sqlalchemy", Peer.init)
        default: throw Misuse(description: "'\(word)' is not known.\n\(Self.usage)")
        }
    }

    private static func value<Value>(
        of word: String, _ words: inout ArraySlice<String>, _ wanted: String, _ read: (String) -> Value?
    ) throws -> Value {
        guard let text = words.popFirst(), let value = read(text) else {
            throw Misuse(description: "\(word) takes \(wanted).\n\(usage)")
        }
        return value
    }
}
