import ContextCore

/// Recommends indexes for a request.
struct AdviseCommand: Command {
    let declaration = CommandDeclaration(
        words: ["advise"], abstract: "Recommends indexes for a request, and shows its query plan.",
        discussion: """
            Indexes belong to the model, so add a recommended index to the entity in the model: "indexes": [["name"]] in a model
            file. The advice depends on the request alone; whether the database uses the index depends on the data.
            """,
        operands: [.init(name: "REQUEST", help: "An entity, optionally with clauses; see 'query'.")],
        options: QueryCommand.requestOptions,
        examples: [
            .init(
                words: "advise 'Player where name == \"Ann\" order by score'",
                help: "For a slow request.")
        ], formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("advise") { session, model in
            let request = try ObjectRequest(
                call.arguments.operands[0], call.arguments, session: session, model: model)
            let explanation = try (session as? any ExplainingSession)?.explain(request.plan)
            var rows = RowSet(
                [.init("entity"), .init("index"), .init("for"), .init("exists")],
                emptyText: "no index recommended")
            for advice in IndexAdvice(model: model).recommendations(for: request.plan) {
                rows.append([
                    .string(advice.entityName), .string(advice.properties.joined(separator: ", ")),
                    .string(advice.reason), .flag(advice.exists),
                ])
            }
            let json: [String: JSONValue] = [
                "rows": .array(rows.documents),
                "statement": explanation.map { .string($0.statement) } ?? .null,
                "steps": .array((explanation?.steps ?? []).map(JSONValue.string)),
            ]
            var report = Report("advise", json) { [rows] style in
                rows.text(style) + (explanation.map { "\n" + $0.steps.map { "  \($0)\n" }.joined() } ?? "")
            }
            report.rows = rows
            return report
        }
    }
}
