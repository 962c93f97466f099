import ContextCore

/// Shows the SQL of a request and the database's query plan.
struct ExplainCommand: Command {
    let declaration = CommandDeclaration(
        words: ["explain"], abstract: "Shows a request's SQL and the database's query plan.",
        operands: [.init(name: "REQUEST", help: "An entity, optionally with clauses; see 'query'.")],
        options: QueryCommand.requestOptions,
        examples: [
            .init(words: "explain 'Player where name == \"Ann\"'", help: "Whether an index is used.")
        ])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("explain") { session, model in
            let request = try ObjectRequest(
                call.arguments.operands[0], call.arguments, session: session, model: model)
            guard let explaining = session as? any ExplainingSession else {
                throw StoreError(
                    .unsupportedRequest, "The store's backend has no query plans.",
                    remedy: "Name a store in a SQLite file or on a PostgreSQL server.")
            }
            let explanation = try explaining.explain(request.plan)
            let json: [String: JSONValue] = [
                "statement": .string(explanation.statement),
                "steps": .array(explanation.steps.map(JSONValue.string)),
            ]
            return Report("explain", json) { style in
                style.bold(explanation.statement) + "\n" + explanation.steps.map { "  \($0)\n" }.joined()
            }
        }
    }
}
