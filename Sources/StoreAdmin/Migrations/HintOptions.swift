import ContextCore

/// The options that describe a migration between two versions of a model.
struct HintOptions {
    static let options: [OptionDeclaration] = [
        .option(
            "rename", nil, "OLD:NEW",
            "A renamed entity or property: Match:Game, Game.name:title. Can be repeated."),
        .option("removed", nil, "A,B", "The entities and properties that were removed: Game, Player.score."),
        .option("convert", nil, "NAME=EXPRESSION", "How to compute a property from the older object."),
    ]

    /// The option that accepts losses in a migration file.
    static let acceptOption = OptionDeclaration.option(
        "accept", nil, "NAME=REASON", "Accepts a loss, with the reason. Can be repeated.")

    let call: CommandCall

    /// Whether any of the options is given.
    var areGiven: Bool { Self.options.contains { call.arguments.values[$0.name] != nil } }

    func hints(acceptedLosses: Set<String> = []) throws -> MigrationHints {
        MigrationHints(
            renames: try renames(), removed: Set(try call.arguments.list("removed") ?? []),
            conversions: try pairs("convert"), acceptedLosses: acceptedLosses)
    }

    /// Returns the former names of renamed entities and properties, by their new names.
    ///
    /// The new name of a property may be given with its entity: `Game.name:title` or `Game.name:Game.title`.
    private func renames() throws -> [String: String] {
        let pairs = try (call.arguments.values["rename"] ?? []).map { text in
            let names = text.split(separator: ":", omittingEmptySubsequences: false).map(\.trimmingSpaces)
            guard names.count == 2, !names.contains("") else {
                throw AdminError.usage(
                    "--rename takes a value of the form OLD:NEW, such as Game.name:title, not “\(text)”.")
            }
            return (old: names[0], new: names[1])
        }
        let entities = Dictionary(
            pairs.filter { !$0.old.contains(".") }.map { ($0.old, $0.new) },
            uniquingKeysWith: { _, last in last })
        var renames: [String: String] = [:]
        for (old, new) in pairs {
            guard let dot = old.firstIndex(of: ".") else {
                renames[new] = old
                continue
            }
            let entity = String(old[..<dot])
            let path = new.contains(".") ? new : "\(entities[entity] ?? entity).\(new)"
            renames[path] = String(old[old.index(after: dot)...])
        }
        return renames
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
