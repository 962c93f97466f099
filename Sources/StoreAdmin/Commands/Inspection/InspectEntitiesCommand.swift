import ContextCore

/// Lists the entities of a store's model.
struct InspectEntitiesCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "entities"], abstract: "Lists the entities with their properties counted.",
        examples: [.init(words: "inspect entities", help: "What kinds of object the store keeps.")],
        forms: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let model = try call.store().model()
        return Report("inspect.entities", rows: ModelTables.entities(of: model))
    }
}
