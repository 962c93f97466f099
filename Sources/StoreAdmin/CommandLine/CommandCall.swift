/// One call of a command: what was said, and what the tool has at hand.
struct CommandCall: Sendable {
    let arguments: ParsedArguments
    let tool: Tool
    let form: OutputForm
    /// Takes what a command prints piece by piece, because it may be too much for one report.
    let output: Output
    /// Tells a command that can stop between two parts of its work whether it should.
    var interruption = Interruption.none

    /// The store that is meant.
    func store() throws -> AdministeredStore {
        try tool.store(arguments["store"], config: arguments["config"])
    }

    /// The store that an operand names.
    func store(_ text: String) throws -> AdministeredStore {
        try tool.store(text, config: arguments["config"])
    }
}
