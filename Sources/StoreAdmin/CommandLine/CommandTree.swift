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

    /// Options may stand anywhere, also before the command's words and between them.
    ///
    /// - Throws: ``AdminError`` for words that lead to nothing, with what they may have been meant to be.
    func find(_ words: [String]) throws(AdminError) -> Finding {
        let places = plainPlaces(in: words)
        if words.isEmpty || asksForHelp(words[..<(places.first ?? words.endIndex)]) { return .help([]) }
        if places.isEmpty, let place = words.firstIndex(of: "--version"), let version = command(["version"]) {
            var rest = words
            rest.remove(at: place)
            return .command(version, rest: rest)
        }
        // An option may have taken the command for its value, as in `-s $STORE status` where the variable isn't set. Whoever minds
        // the exit code must not take that for success.
        guard !places.isEmpty else {
            throw .usage("no command given.", hint: "Run 'storectl help' for the commands.")
        }
        let plain = places.map { words[$0] }
        if plain[0] == "help" { return try help(Array(plain.dropFirst())) }
        if let command = longest(plain) {
            let taken = Set(places.prefix(command.declaration.words.count))
            return .command(command, rest: words.indices.filter { !taken.contains($0) }.map { words[$0] })
        }
        if asksForHelp(words[...]) { return try help(plain) }
        throw unknown(plain)
    }

    /// The places of the words that are neither options nor their values.
    ///
    /// Which command is meant isn't known yet: an option takes the next word with it where it does so in all commands that have it. All
    /// behind `--` are plain, the command's own words among them where none came before.
    private func plainPlaces(in words: [String]) -> [Int] {
        var places: [Int] = []
        var index = 0
        while index < words.count {
            if words[index] == "--" { return places.isEmpty ? Array((index + 1)..<words.count) : places }
            let word = words[index]
            if !word.hasPrefix("-") || word == "-" {
                places.append(index)
            } else if takesNext(word) {
                index += 1
            }
            index += 1
        }
        return places
    }

    private func takesNext(_ word: String) -> Bool {
        if word.hasPrefix("--") {
            let name = word.dropFirst(2)
            return isValued(options.filter { $0.name == name })
        }
        // Of letters in a row, one that takes a value takes those behind it; the last one the next word.
        let letters = word.dropFirst()
        guard
            let valued = letters.firstIndex(where: { letter in
                isValued(options.filter { $0.letter == letter })
            })
        else { return false }
        return letters.index(after: valued) == letters.endIndex
    }

    private func isValued(_ options: [OptionDeclaration]) -> Bool {
        !options.isEmpty && options.allSatisfy { $0.value != nil }
    }

    private var options: [OptionDeclaration] {
        commands.flatMap(\.declaration.ownOptions) + OptionDeclaration.common
    }

    private func asksForHelp(_ words: ArraySlice<String>) -> Bool {
        words.contains { ["--help", "-h"].contains($0) }
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
            guard words.count > 1 else {
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
