/// Makes help texts from the declarations of commands.
struct HelpText {
    let tree: CommandTree
    let style: TextStyle
    /// The program's name.
    var name = Tool.defaultName

    func text(for words: [String]) -> String {
        if let command = tree.command(words) { return text(for: command.declaration) }
        return words.isEmpty ? overview() : overview(of: words[0])
    }

    private func overview() -> String {
        let words = tree.sections.flatMap(\.words)
        let width = words.map(DisplayWidth.columnCount).max()
        let sections = tree.sections.map { section in
            let entries = section.words.map { ($0, tree.abstract(of: $0)) }
            return style.bold("\(section.title):") + "\n" + list(entries, width: width)
        }
        return """
            \(name) administers stores of objects in SQLite files and on PostgreSQL servers.

            \(style.bold("Usage:")) \(name) <command> [options]

            \(sections.joined(separator: "\n\n"))

            \(style.bold("Options of every command:"))
            \(list(OptionDeclaration.common.map(Self.entry)))

            Run '\(name) help <command>' for examples.

            """
    }

    private func overview(of group: String) -> String {
        let entries = tree.commands(in: group).map { ($0.declaration.name, $0.declaration.abstract) }
        return """
            \(tree.abstract(of: group))

            \(style.bold("Commands:"))
            \(list(entries))

            """
    }

    private func text(for command: CommandDeclaration) -> String {
        var text = command.abstract + "\n\n" + style.bold("Usage:") + " \(name) \(command.name)"
        for operand in command.operands {
            let word = operand.isRepeated ? operand.name + "…" : operand.name
            text += operand.isOptional ? " [\(word)]" : " \(word)"
        }
        text += " [options]\n"
        if !command.discussion.isEmpty { text += "\n" + command.discussion + "\n" }
        if !command.operands.isEmpty {
            text += "\n" + list(command.operands.map { ($0.name, $0.help) }) + "\n"
        }
        text += "\n" + style.bold("Examples:") + "\n"
        for example in command.examples {
            // Files of completions have the program's name.
            let words = example.words.replacing(Tool.defaultName, with: name)
            text += "  \(name) \(words)\n      \(example.help)\n"
        }
        if !command.ownOptions.isEmpty {
            text += "\n" + style.bold("Options:") + "\n" + list(command.ownOptions.map(Self.entry)) + "\n"
        }
        let codes = command.allExitCodes.map { String($0.rawValue) }.joined(separator: ", ")
        text += "\n" + style.bold("Exit codes:") + " \(codes)\n"
        return text + "\n" + style.bold("Options of every command:") + "\n"
            + list(OptionDeclaration.common.map(Self.entry)) + "\n"
    }

    private static func entry(_ option: OptionDeclaration) -> (String, String) {
        let letter = option.letter.map { "-\($0), " } ?? ""
        return ("\(letter)--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help)
    }

    private func list(_ entries: [(String, String)], width: Int? = nil) -> String {
        let width = width ?? entries.map { DisplayWidth.columnCount($0.0) }.max() ?? 0
        return entries.map { name, help in
            "  " + name + String(repeating: " ", count: width - DisplayWidth.columnCount(name) + 2) + help
        }.joined(separator: "\n")
    }
}
