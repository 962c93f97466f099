import ContextCore

/// Counts objects.
struct CountCommand: Command {
    let declaration = CommandDeclaration(
        words: ["count"], abstract: "Counts the objects of a request.",
        operands: [.init(name: "REQUEST", help: "An entity, optionally with clauses; see 'query'.")],
        options: QueryCommand.requestOptions,
        examples: [.init(words: "count 'Player where game == nil'", help: "The players without a game.")])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("count") { session, model in
            let request = try ObjectRequest(
                call.arguments.operands[0], call.arguments, session: session, model: model)
            let count = try request.count(session)
            return Report("count", ["entity": .string(request.entity.name), "count": .int(count)]) { _ in
                "\(count)\n"
            }
        }
    }
}
