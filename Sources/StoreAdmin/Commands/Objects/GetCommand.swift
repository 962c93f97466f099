import ContextCore

/// Shows one object with all its properties.
struct GetCommand: Command {
    let declaration = CommandDeclaration(
        words: ["get"], abstract: "Shows one object, with its attributes and relationships.",
        operands: [
            .init(name: "OBJECT", help: "An entity and a key, such as Player:12, or an object's URI.")
        ],
        options: [
            .option(
                "limit", "n", "N", "How many objects of a to-many relationship to list. The default is 10.")
        ],
        examples: [
            .init(words: "get Player:12", help: "One player."),
            .init(words: "get Game:1 --json", help: "A game as JSON, with the keys of all its players."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let reference = try ObjectReference(call.arguments.operands[0])
        let shown = try call.arguments.count("limit") ?? 10
        return try call.store().read("get") { session, model in
            let entity = try model.entity(reference.entityName)
            let batch = try session.rows([reference.key], entityIndex: entity.index)
            guard batch.count == 1 else {
                throw StoreError(
                    .objectNotFound, "There is no object \(entity.name):\(reference.key).",
                    remedy: "Run 'storectl query \(entity.name)' to list the objects with their keys.")
            }
            let object = try ObjectDetail(batch, session: session, model: model)
            var report = Report("get", object.json) { object.text($0, shown: shown) }
            report.isData = true
            return report
        }
    }
}
