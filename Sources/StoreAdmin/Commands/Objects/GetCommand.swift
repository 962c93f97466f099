import ContextCore

/// Shows one object with all its properties.
struct GetCommand: Command {
    let declaration = CommandDeclaration(
        words: ["get"], abstract: "Shows one object, with its attributes and relationships.",
        discussion:
            "Of a to-many relationship it shows the number and the first keys. The others are listed by 'related'.",
        operands: [
            .init(name: "OBJECT", help: "An entity and a key, such as Player:12, or an object's URI.")
        ],
        options: [
            .option(
                "limit", "n", "N", "How many objects of a to-many relationship to list. The default is 10.")
        ],
        examples: [
            .init(words: "get Player:12", help: "One player."),
            .init(
                words: "get Game:1 --json",
                help: "A game as JSON, with the number of its players and the first keys."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let reference = try ObjectReference(call.arguments.operands[0])
        let shown = try call.arguments.count("limit") ?? 10
        return try call.store().read("get") { session, model in
            let object = try ObjectDetail(
                try reference.row(session, model), shown: shown, session: session, model: model)
            var report = Report("get", object.json) { object.text($0) }
            report.isData = true
            return report
        }
    }
}
