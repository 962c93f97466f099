import ContextCore

/// The options that describe a migration between two versions of a model.
struct HintOptions {
    static let options: [OptionDeclaration] = [
        .option("rename", nil, "NEW=OLD", "An entity or property that was renamed. Can be repeated."),
        .option("removed", nil, "A,B", "The entities and properties that were removed: Game, Player.score."),
        .option("convert", nil, "NAME=EXPRESSION", "How to compute a property from the older object."),
    ]

    let call: CommandCall

    /// Whether any of the options is given.
    var areGiven: Bool { Self.options.contains { call.arguments.values[$0.name] != nil } }

    func hints(acceptedLosses: Set<String> = []) throws -> MigrationHints {
        MigrationHints(
            renames: try pairs("rename"), removed: Set(try call.arguments.list("removed") ?? []),
            conversions: try pairs("convert"), acceptedLosses: acceptedLosses)
    }

    /// Returns the values of an option whose values have the form `NAME=VALUE`.
    func pairs(_ name: String) throws -> [String: String] {
        var pairs: [String: String] = [:]
        for text in call.arguments.values[name] ?? [] {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw AdminError.usage(
                    "--\(name) takes a value of the form NAME=VALUE, not “\(text)”.")
            }
            pairs[text[..<equals].trimmingSpaces] = text[text.index(after: equals)...].trimmingSpaces
        }
        return pairs
    }
}
