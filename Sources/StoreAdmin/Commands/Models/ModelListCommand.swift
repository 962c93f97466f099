import ContextCore

/// Lists the models that a store was created and migrated with.
struct ModelListCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "list"], abstract: "Lists the models that the store was created and migrated with.",
        examples: [.init(words: "model list", help: "The last one is the current model.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let models = try call.store().inspect { try $0.models() }
        return Report("model.list", rows: try Self.rows(models, call.tool))
    }

    /// Returns a row for each model of a store.
    static func rows(_ models: [StoredModel], _ tool: Tool) throws -> RowSet {
        var rows = RowSet([
            .init("version", isRightAligned: true), .init("fingerprint"),
            .init("entities", isRightAligned: true),
            .init("application's", key: "isApplications"),
        ])
        for model in models {
            let entities = try model.model().layouts
            rows.append([
                .count(model.number), .string(model.fingerprint), .count(entities.count),
                .flag(tool.model?.fingerprint == model.fingerprint),
            ])
        }
        return rows
    }
}
