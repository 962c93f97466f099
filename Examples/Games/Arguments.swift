/// What the program is called with.
struct Arguments: Equatable {
    static let usage = """
        Games [address] [--seconds n] [--report] [--threads n] [--exclusive] [--concurrent] [--processes n]

        Plays games on a store: a file in a temporary folder, unless an address such as sqlite:games.sqlite,
        memory: or postgres://app@localhost/games is given. In a terminal it shows them; with --seconds or
        --report, or where there is no terminal, it plays for a while (10 seconds) and prints a verdict.

        With --concurrent a process writes to a store on a server in as many transactions at once as tasks play;
        with --processes others play on the same store meanwhile, and what all have done is checked.
        """

    var address: String?
    var seconds = 10
    var isReport = false
    var threads = 8
    var isExclusive = false
    var isConcurrent = false
    var processes = 1
    /// Whether it joins what another process has begun, and checks nothing but its own reads.
    var isGuest = false

    struct Mistake: Error, Equatable { let sentence: String }

    init(_ words: [String]) throws {
        var words = words[...]
        func number(after word: String) throws -> Int {
            guard let text = words.popFirst(), let number = Int(text), number > 0 else {
                throw Mistake(sentence: "\(word) takes a number from 1 up.")
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
            case _ where word.hasPrefix("-"): throw Mistake(sentence: "There is no option \(word).")
            default:
                guard address == nil else { throw Mistake(sentence: "One address is enough.") }
                address = word
            }
        }
    }
}
