import ContextCore

/// The commands of the tool, with the search for the command that a command line names.
struct CommandTree: Sendable {
    /// The commands with the same first word.
    struct Group: Sendable {
        let name: String
        let abstract: String
    }

    /// The commands for one purpose, which the help lists together.
    struct Section: Sendable {
        let title: String
        /// The first words of the commands, in the order of the help.
        let words: [String]
    }

    /// The result of a search.
    enum SearchResult {
        case command(any Command, rest: [String])
        /// Help for the tool, a group, or a command.
        case help([String])
    }

    let commands: [any Command]
    /// The commands for completion scripts and packages, which the help doesn't list.
    var hiddenCommands: [any Command] = []
    let groups: [Group]
    /// The sections of the help; each first word of a command, and `help`, is in one of them.
    let sections: [Section]

    /// Finds the command that a command line names; options may be before and between the words of its name.
    ///
    /// - Throws: ``AdminError`` for an unknown command, with the most similar one as a hint.
    func find(_ words: [String]) throws(AdminError) -> SearchResult {
        let plainIndices = plainWordIndices(in: words)
        if words.isEmpty || requestsHelp(words[..<(plainIndices.first ?? words.endIndex)]) {
            return .help([])
        }
        if plainIndices.isEmpty, let place = words.firstIndex(of: "--version"),
            let version = command(["version"])
        {
            var rest = words
            rest.remove(at: place)
            return .command(version, rest: rest)
        }
        // If STORE isn't set, `-s $STORE status` makes the command the value of -s. That must fail rather than print help with
        // exit code 0.
        guard !plainIndices.isEmpty else {
            throw .usage("no command given.", hint: "Run 'storectl help' for the commands.")
        }
        let plain = plainIndices.map { words[$0] }
        if plain[0] == "help" { return try help(Array(plain.dropFirst())) }
        if let command = longestMatch(plain) {
            let used = Set(plainIndices.prefix(command.declaration.words.count))
            return .command(command, rest: words.indices.filter { !used.contains($0) }.map { words[$0] })
        }
        if requestsHelp(words[...]) { return try help(plain) }
        throw unknownCommandError(plain)
    }

    /// Returns the indexes of the words that are neither options nor values of options.
    ///
    /// The command isn't known yet, so an option counts as having a value if it has one in all commands that define it. After `--` all
    /// words are plain; they are searched for a command only if there is no plain word before it.
    private func plainWordIndices(in words: [String]) -> [Int] {
        var plainIndices: [Int] = []
        var index = 0
        while index < words.count {
            if words[index] == "--" {
                return plainIndices.isEmpty ? Array((index + 1)..<words.count) : plainIndices
            }
            let word = words[index]
            if !word.hasPrefix("-") || word == "-" {
                plainIndices.append(index)
            } else if takesNextWord(word) {
                index += 1
            }
            index += 1
        }
        return plainIndices
    }

    private func takesNextWord(_ word: String) -> Bool {
        if word.hasPrefix("--") {
            let name = word.dropFirst(2)
            return takesValue(options.filter { $0.name == name })
        }
        // In a group of short options, the first one with a value takes the rest of the word, or the next word if it is the last.
        let letters = word.dropFirst()
        guard
            let valued = letters.firstIndex(where: { letter in
                takesValue(options.filter { $0.letter == letter })
            })
        else { return false }
        return letters.index(after: valued) == letters.endIndex
    }

    private func takesValue(_ options: [OptionDeclaration]) -> Bool {
        !options.isEmpty && options.allSatisfy { $0.value != nil }
    }

    /// Whether the option with a name or letter has a value in every command that defines it.
    func takesValue(_ written: String) -> Bool { takesValue(options.filter { $0.isNamed(written) }) }

    private var options: [OptionDeclaration] {
        commands.flatMap(\.declaration.ownOptions) + OptionDeclaration.common
    }

    private func requestsHelp(_ words: ArraySlice<String>) -> Bool {
        words.contains { ["--help", "-h"].contains($0) }
    }

    func command(_ words: [String]) -> (any Command)? {
        (commands + hiddenCommands).first { $0.declaration.words == words }
    }

    func commands(in group: String) -> [any Command] {
        commands.filter { $0.declaration.words.count > 1 && $0.declaration.words[0] == group }
    }

    /// Returns the summary of a group, of a command with a single word, or of `help`.
    func abstract(of word: String) -> String {
        groups.first { $0.name == word }?.abstract
            ?? command([word])?.declaration.abstract ?? "Prints this help, or the help of a command."
    }

    /// Returns the command with the longest name with which the words begin.
    func longestMatch(_ words: [String]) -> (any Command)? {
        (commands + hiddenCommands).filter { words.starts(with: $0.declaration.words) }
            .max { $0.declaration.words.count < $1.declaration.words.count }
    }

    private func help(_ words: [String]) throws(AdminError) -> SearchResult {
        if words.isEmpty || command(words) != nil { return .help(words) }
        if words.count == 1, groups.contains(where: { $0.name == words[0] }) { return .help(words) }
        throw unknownCommandError(words)
    }

    private func unknownCommandError(_ words: [String]) -> AdminError {
        if groups.contains(where: { $0.name == words[0] }) {
            let known = commands(in: words[0]).map { $0.declaration.words[1] }
            guard words.count > 1 else {
                return .usage(
                    "'\(words[0])' needs a subcommand: \(known.joined(separator: ", ")).",
                    hint: "Run 'storectl help \(words[0])'.")
            }
            let near = Spelling.nearest(to: words[1], among: known)
            return .usage(
                "there is no command '\(words[0]) \(words[1])'.",
                hint: near.map { "Did you mean '\(words[0]) \($0)'?" }
                    ?? "The subcommands are \(known.joined(separator: ", ")).")
        }
        let known = Set(commands.map { $0.declaration.words[0] } + ["help"]).sorted()
        let near = Spelling.nearest(to: words[0], among: known)
        return .usage(
            "there is no command '\(words[0])'.",
            hint: near.map { "Did you mean '\($0)'?" } ?? "Run 'storectl help' for the commands.")
    }
}
