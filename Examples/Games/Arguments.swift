/// What the program is called with.
struct Arguments: Equatable {
    static let usage = """
        Games [address] [--seconds n] [--report] [--threads n] [--exclusive]

        Plays games on a store: a file in a temporary folder, unless an address such as sqlite:games.sqlite,
        memory: or postgres://app@localhost/games is given. In a terminal it shows them; with --seconds or
        --report, or where there is no terminal, it plays for a while (10 seconds) and prints a verdict.
        """

    var address: String?
    var seconds = 10
    var isReport = false
    var threads = 8
    var isExclusive = false

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
            case _ where word.hasPrefix("-"): throw Mistake(sentence: "There is no option \(word).")
            default:
                guard address == nil else { throw Mistake(sentence: "One address is enough.") }
                address = word
            }
        }
    }
}
