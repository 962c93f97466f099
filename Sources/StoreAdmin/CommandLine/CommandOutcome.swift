/// Is what a command leaves behind: data for standard output, problems for standard error, and an exit code.
struct CommandOutcome: Equatable {
    var output = ""
    var problems = ""
    var exitCode = ExitCode.success

    /// Says that the words make no sense, and where help is.
    static func usage(_ problem: String) -> CommandOutcome {
        CommandOutcome(
            problems: "storectl: \(problem)\nRun 'storectl help' for the commands.\n", exitCode: .usage)
    }
}
