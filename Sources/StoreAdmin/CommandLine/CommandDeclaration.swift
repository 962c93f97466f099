/// The name, the arguments, and the help of a command, for the parser, the help texts, and the completion scripts.
struct CommandDeclaration: Sendable {
    /// A positional argument of a command.
    struct Operand: Sendable {
        let name: String
        let help: String
        var isOptional = false
        var isRepeated = false
    }

    /// A command line with an explanation.
    struct Example: Sendable {
        let words: String
        let help: String
    }

    /// The words of the command's name, such as `data` and `export`.
    let words: [String]
    /// The summary, on one line.
    let abstract: String
    /// The help below the summary.
    var discussion = ""
    var operands: [Operand] = []
    var options: [OptionDeclaration] = []
    let examples: [Example]
    /// Whether the command works on one store, so that it has the option `--tenant`.
    var takesTenant = true
    /// The output formats that the command supports in addition to text.
    var formats: Set<OutputFormat> = [.json]
    /// The exit codes of the command in addition to those of every command.
    var exitCodes: Set<ExitCode> = ExitCode.storeCommands

    var name: String { words.joined(separator: " ") }
    /// All exit codes of the command, in ascending order.
    var allExitCodes: [ExitCode] {
        exitCodes.union(ExitCode.allCommands).sorted { $0.rawValue < $1.rawValue }
    }
    /// The options that this command adds to those of every command.
    var ownOptions: [OptionDeclaration] { options + (takesTenant ? [OptionDeclaration.tenant] : []) }
    /// All options of the command, including those of every command.
    var allOptions: [OptionDeclaration] { ownOptions + OptionDeclaration.common }
}
