/// Says how a command is called, and what it is good for: the source of parsing, help and completions alike.
struct CommandDeclaration: Sendable {
    /// A word or words that a command takes by their place.
    struct Operand: Sendable {
        let name: String
        let help: String
        var isOptional = false
        var isRepeated = false
    }

    /// One way to call the command, with what it does.
    struct Example: Sendable {
        let words: String
        let help: String
    }

    /// The words that call it: `data`, `export`.
    let words: [String]
    /// What it does, in a line.
    let abstract: String
    /// What else there is to know.
    var discussion = ""
    var operands: [Operand] = []
    var options: [OptionDeclaration] = []
    let examples: [Example]
    /// Whether it works on one store, and so has the option `--tenant`, which selects a tenant's.
    var takesTenant = true
    /// The forms of output that it has, beside text.
    var forms: Set<OutputForm> = [.json]
    /// The exit codes that it may have, beside those of every command.
    var exits: Set<ExitCode> = ExitCode.ofStores

    var name: String { words.joined(separator: " ") }
    /// All exit codes that it may have, in order.
    var allExits: [ExitCode] { exits.union(ExitCode.ofAll).sorted { $0.rawValue < $1.rawValue } }
    /// The options that not every command has.
    var ownOptions: [OptionDeclaration] { options + (takesTenant ? [OptionDeclaration.tenant] : []) }
    /// The options with those that every command has.
    var allOptions: [OptionDeclaration] { ownOptions + OptionDeclaration.common }
}
