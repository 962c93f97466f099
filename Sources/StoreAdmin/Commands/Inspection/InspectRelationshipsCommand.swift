import ContextCore

/// Lists the relationships of a store's model.
struct InspectRelationshipsCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "relationships"],
        abstract: "Lists the relationships, their inverses and delete rules.",
        examples: [.init(words: "inspect relationships", help: "All relationships of the model.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let model = try call.store().model()
        return Report("inspect.relationships", rows: ModelTables.relationships(of: model))
    }
}
