/// Says what an option is called and whether it takes a value.
struct OptionDeclaration: Sendable, Equatable {
    /// The name without its dashes.
    let name: String
    /// The one letter that stands for it.
    var letter: Character?
    /// What its value is called in help texts; nil for a flag.
    var value: String?
    let help: String
    /// The words that the value can be, where there are few.
    var choices: [String] = []

    static func flag(_ name: String, _ letter: Character? = nil, _ help: String) -> OptionDeclaration {
        OptionDeclaration(name: name, letter: letter, help: help)
    }

    static func option(
        _ name: String, _ letter: Character? = nil, _ value: String, _ help: String, choices: [String] = []
    ) -> OptionDeclaration {
        OptionDeclaration(name: name, letter: letter, value: value, help: help, choices: choices)
    }

    /// That of every command that works on one store.
    static let tenant = OptionDeclaration.option(
        "tenant", nil, "NAME", "The tenant whose store is meant, where the address is shared by many tenants."
    )

    /// Those that every command has.
    static let common: [OptionDeclaration] = [
        .option("store", "s", "STORE", "A name in the configuration, or a URL such as sqlite:games.sqlite."),
        .option("config", nil, "FILE", "The configuration file, in place of the one that would be found."),
        .option(
            "output", "o", "FORM", "table, json, jsonl, csv or md.",
            choices: OutputForm.allCases.map(\.rawValue)),
        .flag("json", nil, "The same as --output json."),
        .flag("no-color", nil, "No colours, not even on a terminal."),
        .flag("quiet", "q", "Nothing but data and errors."),
        .flag("verbose", "v", "Errors with the database's own words."),
        .flag("help", "h", "Prints how a command is called."),
    ]
}
