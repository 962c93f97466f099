import ContextCore

/// Runs requests from standard input.
struct ShellCommand: Command {
    let declaration = CommandDeclaration(
        words: ["shell"], abstract: "Runs requests from a terminal or a file.",
        discussion: """
            An input is a request as for 'query', or a command that starts with a backslash; \\? lists the commands. It may
            continue over several lines. Each reads a new snapshot of the store, and none changes the store. At a terminal,
            long results appear in a pager, Ctrl-C cancels a request, and Ctrl-D ends the shell; a build with the trait
            LineEditing has editing, a history, and completion with Tab. If the input is not a terminal, the exit code is
            that of the first input that failed.
            """,
        examples: [
            .init(words: "shell -s dev", help: "Interactively."),
            .init(words: "shell -o csv < requests.txt", help: "Several requests from a file."),
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let input = call.tool.input
        guard input.isTerminal else {
            let session = try ShellSession(call: call)
            runLoop(session, InputReader(input, output: call.output))
            var report = Report.alreadyPrinted
            report.exit = session.firstFailure ?? .success
            return report
        }
        let history = ShellHistory(call.tool.environment)
        let session = try ShellSession(call: call, history: history, terminal: input.terminal)
        call.output.info(session.greeting)
        if let terminal = input.terminal {
            let reader = terminal.makeReader(call.output, call.tool.environment.variables)
            ShellInterrupts.withHandler { runLoop(session, reader) }
        } else {
            runLoop(session, InputReader(input, output: call.output))
        }
        return .alreadyPrinted
    }

    private func runLoop(_ session: ShellSession, _ reader: any ShellReader) {
        ShellLoop(session: session, reader: reader, history: session.history, output: session.call.output)
            .run()
        session.end()
    }
}
