/// The last word of an unfinished command line, and what the words before it say about it.
struct CompletionInput: Sendable {
    /// What the last word may be.
    enum Subject: Sendable, Equatable {
        /// The next word of a command's name, after the given ones.
        case commandWord(after: [String])
        /// The name of an option.
        case optionName
        /// A value of an option, or an operand.
        case value(WordKind)
    }

    let subject: Subject
    /// The text of the last word before its value, such as `--store=`.
    let prefix: String
    /// The text to complete.
    let text: String
    /// The command that the words name, if they are complete.
    let command: CommandDeclaration?
    let operands: [String]
    /// The values of the options before the last word, by the name of the option.
    let values: [String: String]
    /// The names of the options before the last word.
    let given: Set<String>

    /// Analyzes the words after the program's name.
    ///
    /// It accepts every command line: unknown options are ignored, and errors are left to the command.
    init(_ words: [String], tree: CommandTree) {
        var scan = CommandLineScan(tree: tree)
        for word in words.dropLast() { scan.read(Self.unquoted(word)) }
        let command = tree.longestMatch(scan.plainWords)?.declaration
        let options = command?.allOptions ?? OptionDeclaration.common
        let find = { (written: String) in options.first { $0.isNamed(written) } }
        self.command = command
        operands = command.map { Array(scan.plainWords.dropFirst($0.words.count)) } ?? []
        let named = scan.values.compactMap { written, value in find(written).map { ($0.name, value) } }
        values = Dictionary(named) { _, last in last }
        given = Set(scan.given.compactMap { find($0)?.name })

        let last = words.last ?? ""
        if let written = scan.pending {
            (subject, prefix, text) = (.value(find(written)?.valueKind ?? .text), "", last)
        } else if !scan.hasOnlyOperands, last.hasPrefix("--"), let equals = last.firstIndex(of: "=") {
            let option = find(String(last[..<equals].dropFirst(2)))
            subject = .value(option.flatMap { $0.value == nil ? nil : $0.valueKind } ?? .text)
            (prefix, text) = (String(last[...equals]), String(last[last.index(after: equals)...]))
        } else {
            subject = Self.subject(of: last, command, operands, scan)
            (prefix, text) = ("", last)
        }
    }

    private static func subject(
        of last: String, _ command: CommandDeclaration?, _ operands: [String], _ scan: CommandLineScan
    ) -> Subject {
        if !scan.hasOnlyOperands, last.hasPrefix("-") { return .optionName }
        if scan.plainWords.first == "help" { return .commandWord(after: Array(scan.plainWords.dropFirst())) }
        guard let command else { return .commandWord(after: scan.plainWords) }
        let declared = command.operands
        let next = operands.count < declared.count ? declared[operands.count] : declared.last
        guard let next, operands.count < declared.count || next.isRepeated else {
            return scan.hasOnlyOperands ? .value(.text) : .optionName
        }
        return .value(next.kind ?? .text)
    }

    /// Returns a word without the quotes around it, which bash leaves in the words that it passes.
    private static func unquoted(_ word: String) -> String {
        guard word.count > 1, let first = word.first, ["'", "\""].contains(first), word.last == first else {
            return word
        }
        return String(word.dropFirst().dropLast())
    }
}

/// Separates the words of a command line into options, their values, and plain words, before the command is known.
struct CommandLineScan {
    let tree: CommandTree
    /// The words of the command's name, and its operands.
    private(set) var plainWords: [String] = []
    /// The values of options, with the name or letter of each option.
    private(set) var values: [(written: String, value: String)] = []
    /// The names and letters of options.
    private(set) var given: [String] = []
    /// The name or letter of the option whose value is the next word; nil if the last word needs none.
    private(set) var pending: String?
    /// Whether a word was `--`, after which there are no options.
    private(set) var hasOnlyOperands = false

    init(tree: CommandTree) { self.tree = tree }

    mutating func read(_ word: String) {
        if let written = pending {
            values.append((written, word))
            pending = nil
        } else if hasOnlyOperands || word == "-" || !word.hasPrefix("-") {
            plainWords.append(word)
        } else if word == "--" {
            hasOnlyOperands = true
        } else if word.hasPrefix("--") {
            readLongOption(word.dropFirst(2))
        } else {
            readLetters(word.dropFirst())
        }
    }

    private mutating func readLongOption(_ word: Substring) {
        let equals = word.firstIndex(of: "=")
        let name = String(word[..<(equals ?? word.endIndex)])
        given.append(name)
        if let equals {
            values.append((name, String(word[word.index(after: equals)...])))
        } else if tree.takesValue(name) {
            pending = name
        }
    }

    private mutating func readLetters(_ letters: Substring) {
        for index in letters.indices {
            let letter = String(letters[index])
            given.append(letter)
            guard tree.takesValue(letter) else { continue }
            let rest = letters[letters.index(after: index)...]
            if rest.isEmpty { pending = letter } else { values.append((letter, String(rest))) }
            return
        }
    }
}
