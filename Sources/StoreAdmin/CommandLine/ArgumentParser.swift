import ContextCore

/// Parses the words after a command, without side effects.
struct ArgumentParser {
    private let declaration: CommandDeclaration
    private var words: ArraySlice<String>
    private var parsed = ParsedArguments()

    /// Parses the words after a command.
    ///
    /// - Throws: ``AdminError`` for an unknown option or an unexpected word, with the most similar known word as a hint.
    static func parse(
        _ words: [String], for declaration: CommandDeclaration
    ) throws(AdminError) -> ParsedArguments {
        var parser = ArgumentParser(declaration: declaration, words: words[...])
        try parser.parse()
        return parser.parsed
    }

    private mutating func parse() throws(AdminError) {
        while let word = words.popFirst() {
            if word == "--" {
                parsed.operands += words
                words = []
            } else if word.hasPrefix("--") {
                try parseLongOption(word.dropFirst(2))
            } else if word.hasPrefix("-"), word.count > 1 {
                try parseShortOptions(word.dropFirst())
            } else {
                parsed.operands.append(word)
            }
        }
        // --help works even if operands are missing.
        if !parsed.has("help") { try checkOperands() }
    }

    private mutating func parseLongOption(_ word: Substring) throws(AdminError) {
        let equals = word.firstIndex(of: "=")
        let name = String(word[..<(equals ?? word.endIndex)])
        guard let option = declaration.allOptions.first(where: { $0.name == name }) else {
            throw unknownOptionError(name)
        }
        let value = equals.map { String(word[word.index(after: $0)...]) }
        try parse(option, "--\(name)", value)
    }

    private mutating func parseShortOptions(_ letters: Substring) throws(AdminError) {
        var letters = letters
        while let letter = letters.popFirst() {
            guard let option = declaration.allOptions.first(where: { $0.letter == letter }) else {
                throw unknownOptionError(String(letter), dashes: "-")
            }
            let rest = option.value == nil || letters.isEmpty ? nil : String(letters)
            if rest != nil { letters = "" }
            try parse(option, "-\(letter)", rest)
        }
    }

    private mutating func parse(
        _ option: OptionDeclaration, _ written: String, _ value: String?
    ) throws(AdminError) {
        guard let wanted = option.value else {
            if value != nil { throw .usage("\(written) takes no value.") }
            return parsed.insert(flag: option.name)
        }
        guard let value = value ?? words.popFirst() else {
            throw .usage("\(written) needs a value: \(wanted).")
        }
        if !option.choices.isEmpty, !option.choices.contains(value) {
            let near = Spelling.nearest(to: value, among: option.choices).map { "Did you mean \($0)? " } ?? ""
            throw .usage(
                "\(written) can't be “\(value)”.",
                hint: near + "The valid values are \(option.choices.joined(separator: ", ")).")
        }
        parsed.append(option.name, value)
    }

    private func unknownOptionError(_ name: String, dashes: String = "--") -> AdminError {
        let near = Spelling.nearest(to: name, among: declaration.allOptions.map(\.name))
        return .usage(
            "'\(declaration.name)' has no option \(dashes)\(name).",
            hint: near.map { "Did you mean --\($0)?" } ?? "Run 'storectl help \(declaration.name)'.")
    }

    private func checkOperands() throws(AdminError) {
        let operands = declaration.operands
        let requiredCount = operands.count { !$0.isOptional }
        if parsed.operands.count < requiredCount {
            let missing = operands.filter { !$0.isOptional }[parsed.operands.count]
            throw .usage(
                "'\(declaration.name)' needs \(missing.name): \(missing.help)",
                hint: "Run 'storectl help \(declaration.name)'.")
        }
        if operands.contains(where: \.isRepeated) || parsed.operands.count <= operands.count { return }
        let extra = parsed.operands[operands.count]
        throw .usage(
            operands.isEmpty
                ? "'\(declaration.name)' takes no arguments, but got “\(extra)”."
                : "'\(declaration.name)' takes only \(operands.map(\.name).joined(separator: " ")), but also got “\(extra)”.",
            hint: "Run 'storectl help \(declaration.name)'.")
    }
}
