import ContextCore

/// What people say of the way between two versions, as options of a command.
struct HintOptions {
    static let options: [OptionDeclaration] = [
        .option("rename", nil, "NEW=OLD", "What was renamed; may be given several times."),
        .option("removed", nil, "A,B", "What is gone and was not renamed: Game, Player.score."),
        .option("convert", nil, "NAME=EXPRESSION", "How a value is worked out of the older object."),
    ]

    let call: CommandCall

    /// Whether any of them is given.
    var areGiven: Bool { Self.options.contains { call.arguments.values[$0.name] != nil } }

    func hints(acceptedLosses: Set<String> = []) throws -> MigrationHints {
        MigrationHints(
            renames: try pairs("rename"), removed: Set(try call.arguments.list("removed") ?? []),
            conversions: try pairs("convert"), acceptedLosses: acceptedLosses)
    }

    /// What an option says of some names.
    func pairs(_ name: String) throws -> [String: String] {
        var pairs: [String: String] = [:]
        for text in call.arguments.values[name] ?? [] {
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw AdminError.usage(
                    "--\(name) takes a name and a text with = between them, not “\(text)”.")
            }
            pairs[text[..<equals].trimmingSpaces] = text[text.index(after: equals)...].trimmingSpaces
        }
        return pairs
    }
}
