import ContextCore

/// Shows the properties of an entity.
struct InspectEntityCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "entity"],
        abstract: "Shows the attributes, relationships and validation rules of an entity.",
        operands: [.init(name: "ENTITY", help: "The entity's name.")],
        examples: [.init(words: "inspect entity Player", help: "The properties of a player.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let model = try call.store().model()
        let entity = try model.entity(call.arguments.operands[0])
        return Report(
            "inspect.entity", rows: ModelTables.properties(of: entity, in: model),
            json: ["entity": .string(entity.name)])
    }
}
