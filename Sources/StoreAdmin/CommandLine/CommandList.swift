/// Finds a command by its word, and lists the commands for `help`.
struct CommandList {
    let commands: [any Command]

    func run(_ words: [String]) -> CommandOutcome {
        guard let name = words.first else { return .usage("no command given.") }
        if ["help", "--help", "-h"].contains(name) {
            return CommandOutcome(output: helpText)
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            return .usage("there is no command '\(name)'.")
        }
        return command.run(Array(words.dropFirst()))
    }

    var helpText: String {
        let entries = (commands.map { ($0.name, $0.abstract) } + [("help", "Prints this text.")])
            .sorted { $0.0 < $1.0 }
        let width = entries.map(\.0.count).max() ?? 0
        let lines = entries.map { name, abstract in
            "  " + name + String(repeating: " ", count: width - name.count + 2) + abstract
        }
        return """
            storectl administers stores of objects in SQLite files and on PostgreSQL servers.

            Usage: storectl <command>

            Commands:
            \(lines.joined(separator: "\n"))

            """
    }
}
