import ContextCore

/// Finds a command by its words.
struct CommandTree: Sendable {
    /// Several commands whose first word is the same.
    struct Group: Sendable {
        let name: String
        let abstract: String
    }

    /// What words lead to.
    enum Finding {
        case command(any Command, rest: [String])
        /// Help for everything, for a group, or for a command.
        case help([String])
    }

    let commands: [any Command]
    let groups: [Group]

    /// - Throws: ``AdminError`` for words that lead to nothing, with what they may have been meant to be.
    func find(_ words: [String]) throws(AdminError) -> Finding {
        // Options may stand before the command's words too.
        guard let first = words.firstIndex(where: { !$0.hasPrefix("-") }), isPlain(words[..<first]) else {
            if words.isEmpty {
                throw .usage("no command given.", hint: "Run 'storectl help' for the commands.")
            }
            return .help([])
        }
        let rest = Array(words[first...])
        if rest[0] == "help" { return try help(Array(rest.dropFirst())) }
        if let command = longest(rest) {
            let count = command.declaration.words.count
            return .command(command, rest: Array(words[..<first]) + rest.dropFirst(count))
        }
        if rest.contains("--help") || rest.contains("-h") {
            return try help(rest.filter { !$0.hasPrefix("-") })
        }
        throw unknown(rest)
    }

    /// Whether options before a command are flags, which take no word with them.
    private func isPlain(_ words: ArraySlice<String>) -> Bool {
        !words.contains { ["--help", "-h"].contains($0) }
    }

    func command(_ words: [String]) -> (any Command)? { commands.first { $0.declaration.words == words } }

    func commands(in group: String) -> [any Command] {
        commands.filter { $0.declaration.words.count > 1 && $0.declaration.words[0] == group }
    }

    private func longest(_ words: [String]) -> (any Command)? {
        commands.filter { words.starts(with: $0.declaration.words) }
            .max { $0.declaration.words.count < $1.declaration.words.count }
    }

    private func help(_ words: [String]) throws(AdminError) -> Finding {
        if words.isEmpty || command(words) != nil { return .help(words) }
        if words.count == 1, groups.contains(where: { $0.name == words[0] }) { return .help(words) }
        throw unknown(words)
    }

    private func unknown(_ words: [String]) -> AdminError {
        if groups.contains(where: { $0.name == words[0] }) {
            let known = commands(in: words[0]).map { $0.declaration.words[1] }
            guard words.count > 1, !words[1].hasPrefix("-") else {
                return .usage(
                    "'\(words[0])' needs another word: \(known.joined(separator: ", ")).",
                    hint: "Run 'storectl help \(words[0])'.")
            }
            let near = Spelling.nearest(to: words[1], among: known)
            return .usage(
                "there is no command '\(words[0]) \(words[1])'.",
                hint: near.map { "Did you mean '\(words[0]) \($0)'?" }
                    ?? "There are \(known.joined(separator: ", ")).")
        }
        let known = Set(commands.map { $0.declaration.words[0] } + ["help"]).sorted()
        let near = Spelling.nearest(to: words[0], among: known)
        return .usage(
            "there is no command '\(words[0])'.",
            hint: near.map { "Did you mean '\($0)'?" } ?? "Run 'storectl help' for the commands.")
    }
}
