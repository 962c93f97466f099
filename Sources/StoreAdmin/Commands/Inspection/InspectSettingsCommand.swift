import ContextCore

/// Shows how a database is set; one that is no store, too.
struct InspectSettingsCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "settings"], abstract: "Shows how the database is set.",
        discussion: "It works on any database of a backend that the tool carries, a store or not.",
        examples: [.init(words: "inspect settings", help: "Journal, encoding, limits.")],
        forms: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let facts = try call.store().inspect { try $0.facts() }
        var rows = RowSet([.init("setting"), .init("value")])
        rows.append([.string("version"), .string("\(facts.product) \(facts.version)")])
        for setting in facts.settings { rows.append([.string(setting.name), .string(setting.value)]) }
        return Report("inspect.settings", rows: rows)
    }
}
