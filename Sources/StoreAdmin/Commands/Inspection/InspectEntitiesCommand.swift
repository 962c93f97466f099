import ContextCore

/// Lists the entities of a store's model.
struct InspectEntitiesCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "entities"], abstract: "Lists the entities, with the numbers of their properties.",
        examples: [.init(words: "inspect entities", help: "The entities of the store's model.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let model = try call.store().model()
        return Report("inspect.entities", rows: ModelTables.entities(of: model))
    }
}
