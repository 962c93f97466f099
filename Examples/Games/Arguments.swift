/// The command line arguments of the program.
struct Arguments: Equatable {
    static let usage = """
        Games [address] [--seconds n] [--report] [--threads n] [--exclusive] [--concurrent] [--processes n]

        Plays games on a store: by default a file in a temporary folder, or the given address, such as
        sqlite:games.sqlite, memory: or postgres://app@localhost/games. In a terminal it shows the games. With
        --seconds or --report, or without a terminal, it plays for a time (10 seconds) and prints a report.

        With --concurrent, on a server, the tasks write in concurrent transactions. With --processes, several
        processes play on the same store, and the first one checks the results of all.
        """

    var address: String?
    var seconds = 10
    var isReport = false
    var threads = 8
    var isExclusive = false
    var isConcurrent = false
    var processes = 1
    /// Whether the process joins the games of another process, and checks only its own reads.
    var isGuest = false

    struct UsageError: Error, Equatable { let sentence: String }

    init(_ words: [String]) throws {
        var words = words[...]
        func number(after word: String) throws -> Int {
            guard let text = words.popFirst(), let number = Int(text), number > 0 else {
                throw UsageError(sentence: "\(word) needs a number of at least 1.")
            }
            return number
        }
        while let word = words.popFirst() {
            switch word {
            case "--seconds": (seconds, isReport) = (try number(after: word), true)
            case "--report": isReport = true
            case "--threads": threads = try number(after: word)
            case "--exclusive": isExclusive = true
            case "--concurrent": isConcurrent = true
            case "--processes": (processes, isReport) = (try number(after: word), true)
            case "--guest": (isGuest, isReport) = (true, true)
            case _ where word.hasPrefix("-"): throw UsageError(sentence: "Unknown option \(word).")
            default:
                guard address == nil else { throw UsageError(sentence: "Give only one address.") }
                address = word
            }
        }
    }
}
