import ContextCore

/// Answers requests line by line.
struct ShellCommand: Command {
    let declaration = CommandDeclaration(
        words: ["shell"], abstract: "Answers requests, line by line, until the input ends.",
        discussion: """
            A line is a request as 'query' takes it, or begins with a backslash; \\? lists those. Each line sees the store
            as it is at that moment. Lines may come from another program too: then the exit code is that of the first line
            that failed.
            """,
        examples: [
            .init(words: "shell -s dev", help: "To look around."),
            .init(words: "shell -o csv < requests.txt", help: "Several requests from a file."),
        ], forms: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        // What is wrong with the store itself is told before the first line.
        _ = try call.store().model()
        let shell = ShellSession(call: call)
        let input = call.tool.input
        while true {
            if input.isTerminal { call.output.message("\(call.tool.name)> ") }
            guard let line = input.next(), shell.perform(line) else { break }
        }
        shell.end()
        var report = Report.printed
        if !input.isTerminal { report.exit = shell.firstFailure ?? .success }
        return report
    }
}
