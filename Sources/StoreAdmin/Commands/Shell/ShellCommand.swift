import ContextCore

/// Runs requests from standard input.
struct ShellCommand: Command {
    let declaration = CommandDeclaration(
        words: ["shell"], abstract: "Runs requests from standard input, one per line.",
        discussion: """
            A line is a request as for 'query', or a command that starts with a backslash; \\? lists the commands. Each line
            reads a new snapshot of the store. If the input is not a terminal, the exit code is that of the first line that
            failed.
            """,
        examples: [
            .init(words: "shell -s dev", help: "Interactively."),
            .init(words: "shell -o csv < requests.txt", help: "Several requests from a file."),
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        // Throws errors of the store itself before the first line.
        _ = try call.store().model()
        let shell = ShellSession(call: call)
        let input = call.tool.input
        while true {
            if input.isTerminal { call.output.message("\(call.tool.name)> ") }
            guard let line = input.next(), shell.perform(line) else { break }
        }
        shell.end()
        var report = Report.alreadyPrinted
        if !input.isTerminal { report.exit = shell.firstFailure ?? .success }
        return report
    }
}
