/// A backend that the benchmark can measure.
enum BackendName: String, CaseIterable, Sendable {
    case sqlite, memory
}

/// What the command line asked for.
struct Options: Sendable {
    var backend = BackendName.sqlite
    var only: String?
    var rounds = 7
    var scale = 1.0
    var isJSON = false
    var isScaling = false
    /// Whether only the two sides' agreement counts, not their times.
    var isCheck = false

    static let usage = """
        usage: storebench [scaling] [--backend sqlite|memory] [--only NAME] [--rounds N] [--scale X] [--json]
                          [--check]

        Each workload runs beside the same work in C on libsqlite3 (or, with --backend memory, beside our own
        SQLite store), in turns, in this process. The ratio is the median of the rounds' ratios.
        With --check each side works once, and only their coming to the same counts.
        Exit codes: 0 every bar is held, 2 one is missed, 64 wrong use, 70 something failed.
        """

    struct Misuse: Error, CustomStringConvertible {
        let description: String
    }

    init(_ words: [String]) throws {
        var words = words[...]
        while let word = words.popFirst() {
            switch word {
            case "scaling": isScaling = true
            case "--backend": backend = try Self.value(of: word, &words, "sqlite or memory", BackendName.init)
            case "--only": only = try Self.value(of: word, &words, "a workload's name") { $0 }
            case "--rounds":
                rounds = try Self.value(of: word, &words, "a number from 0") {
                    Int($0).flatMap { $0 >= 0 ? $0 : nil }
                }
            case "--scale":
                scale = try Self.value(of: word, &words, "a number above 0") {
                    Double($0).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
                }
            case "--json": isJSON = true
            case "--check":
                isCheck = true
                rounds = 0
            default: throw Misuse(description: "'\(word)' is not known.\n\(Self.usage)")
            }
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
