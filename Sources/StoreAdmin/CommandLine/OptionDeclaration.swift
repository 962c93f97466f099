/// The name, the value, and the help of an option.
struct OptionDeclaration: Sendable, Equatable {
    /// The name without the dashes.
    let name: String
    /// The letter of the short option.
    var letter: Character?
    /// The placeholder of the value in help texts; nil for a flag.
    var value: String?
    let help: String
    /// The valid values; empty if any value is valid.
    var choices: [String] = []

    /// Whether a text is the name or the letter of the option, without dashes.
    func isNamed(_ written: String) -> Bool { name == written || letter.map(String.init) == written }

    static func flag(_ name: String, _ letter: Character? = nil, _ help: String) -> OptionDeclaration {
        OptionDeclaration(name: name, letter: letter, help: help)
    }

    static func option(
        _ name: String, _ letter: Character? = nil, _ value: String, _ help: String, choices: [String] = []
    ) -> OptionDeclaration {
        OptionDeclaration(name: name, letter: letter, value: value, help: help, choices: choices)
    }

    /// The option of commands that work on one store.
    static let tenant = OptionDeclaration.option(
        "tenant", nil, "NAME", "The tenant whose store to use, if several tenants share the address.")

    /// The options of every command.
    static let common: [OptionDeclaration] = [
        .option("store", "s", "STORE", "A name in the configuration, or a URL such as sqlite:games.sqlite."),
        .option("config", nil, "FILE", "The configuration file to use instead of the default ones."),
        .option(
            "output", "o", "FORMAT", "The output format: table, json, jsonl, csv or md.",
            choices: OutputFormat.allCases.map(\.rawValue)),
        .flag("json", nil, "The same as --output json."),
        .flag("no-color", nil, "Prints no colors, even on a terminal."),
        .flag("quiet", "q", "Prints only data and errors."),
        .flag("verbose", "v", "Adds details, such as the database's own error messages."),
        .flag("help", "h", "Prints the help of the command."),
    ]
}
