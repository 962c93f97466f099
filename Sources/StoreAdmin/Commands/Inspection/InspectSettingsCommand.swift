import ContextCore

/// Shows the settings of a database, even if it is not a store.
struct InspectSettingsCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "settings"], abstract: "Shows the settings of the database.",
        discussion: "It works on any database of a supported backend, even if it is not a store.",
        examples: [.init(words: "inspect settings", help: "The journal, the encoding and limits.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        Report("inspect.settings", rows: Self.rows(try call.store().inspect { try $0.databaseInfo() }))
    }

    /// Returns a row for the version of a database, and one for each setting.
    static func rows(_ facts: StoreFacts) -> RowSet {
        var rows = RowSet([.init("setting"), .init("value")])
        rows.append([.string("version"), .string("\(facts.product) \(facts.version)")])
        for setting in facts.settings { rows.append([.string(setting.name), .string(setting.value)]) }
        return rows
    }
}
