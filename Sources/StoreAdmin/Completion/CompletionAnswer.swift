/// The completions of a word.
struct CompletionAnswer: Sendable, Equatable {
    struct Candidate: Sendable, Equatable {
        /// The whole word.
        let word: String
        var help = ""
    }

    var candidates: [Candidate] = []
    /// Whether the shell offers files, too.
    var offersFiles = false
    /// Whether the shell offers folders, too.
    var offersFolders = false
    /// Whether a candidate may go on, so that the shell appends no space to it.
    var isUnfinished = false

    /// Returns the answer with only the candidates that begin with a text.
    func beginning(with text: String) -> CompletionAnswer {
        var answer = self
        answer.candidates = candidates.filter { $0.word.hasPrefix(text) }
        return answer
    }

    /// Returns the answer with a text before each candidate.
    func prefixed(by text: String) -> CompletionAnswer {
        var answer = self
        answer.candidates = candidates.map { Candidate(word: text + $0.word, help: $0.help) }
        return answer
    }

    /// Adds another answer.
    mutating func append(_ other: CompletionAnswer) {
        candidates += other.candidates
        offersFiles = offersFiles || other.offersFiles
        offersFolders = offersFolders || other.offersFolders
        isUnfinished = isUnfinished || other.isUnfinished
    }

    /// The answer for a completion script: a line for each candidate, with its help after a tab.
    ///
    /// Lines that begin with a colon are instructions: `:files`, `:folders` and `:nospace`. A candidate that the script can't read as
    /// one is left out.
    var text: String {
        var lines: [String] = []
        if offersFiles { lines.append(":files") }
        if offersFolders { lines.append(":folders") }
        if isUnfinished { lines.append(":nospace") }
        for candidate in candidates where !candidate.word.hasPrefix(":") && Self.isOneLine(candidate.word) {
            let help = Self.isOneLine(candidate.help) ? candidate.help : ""
            lines.append(candidate.word + (help.isEmpty ? "" : "\t" + help))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
