import ContextCore

/// Says what a migration would do.
struct MigratePlanCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "plan"], abstract: "Says what would be done to a store; changes nothing.",
        discussion: """
            Beneath each step stand the tables that it means something for: the lock on a table, what becomes of its rows, and
            how many there are, counted or as the database reckons. Of what a conversion or a stage fills, three objects are shown
            with what is read, and what the property was and becomes; a stage is run for copies of them, and nothing is written.
            With --for it needs no store, and knows no rows: it is the plan of any store of a version. A plan in a file is sealed by its digest, whatever rows there are: 'migrate apply --plan'
            runs what was reviewed, or nothing. Where no version is frozen, --rename, --removed
            and --convert say what a manifest would.
            """,
        options: [
            ModelHistory.option,
            .option("to", nil, "VERSION", "The version at which the store ends; the last unless given."),
            .flag("sql", nil, "The statements in place of sentences."),
            .option("for", nil, "BACKEND", "sqlite or postgres, in place of a store."),
            .option("from", nil, "VERSION", "The version of the store, with --for; the first unless given."),
            .option("out", nil, "FILE", "Writes the plan into a new file too."),
        ] + HintOptions.options,
        examples: [
            .init(words: "migrate plan -s prod --out plan.json", help: "For a review."),
            .init(words: "migrate plan --for postgres --sql", help: "The statements, without a server."),
        ], exits: ExitCode.ofStores.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let version = call.arguments["to"]
        let sql = call.arguments.has("sql")
        if call.arguments["for"] == nil, let rest = try MigrationCall(call).rest() {
            if call.arguments["out"] != nil {
                throw AdminError.refused(
                    "\(rest.run.transition) was begun, and nothing else can be planned before it is finished.",
                    hint: "Run 'storectl migrate resume', or 'storectl migrate rollback'.")
            }
            return Report("migrate.plan", rest.json) { _ in rest.text(sql: sql) }
        }
        let plan = try MigrationPlan(call, to: version, isSampled: true)
        if let path = call.arguments["out"] {
            let sink = try FileSink(call.tool.surroundings.resolved(path))
            defer { sink.close() }
            try sink.write(SealedPlan.text(plan, to: version))
            try sink.finish()
        }
        return Report("migrate.plan", plan.json) { [tool = call.tool] style in
            plan.text(sql: sql) + (sql ? "" : tool.named(plan.sampleText(style)))
        }
    }
}

extension MigrationPlan {
    /// The plan that a call means: of a store, or of any store of a version with `--for`.
    init(_ call: CommandCall, to version: String?, isSampled: Bool = false) throws {
        guard let name = call.arguments["for"] else {
            self = try MigrationCall(call).plan(to: version, isSampled: isSampled)
            return
        }
        guard let backend = call.tool.backends.first(where: { $0.schemes.contains(name) }) else {
            let known = call.tool.backends.compactMap(\.schemes.first)
            let near = Spelling.nearest(to: name, among: known).map { "Did you mean \($0)?" }
            throw AdminError.usage(
                "--for can't be “\(name)”.", hint: near ?? "It is one of \(known.joined(separator: ", ")).")
        }
        self = try backend.migrationPlan(
            ModelHistory(call).transitions(from: call.arguments["from"], to: version))
    }
}

extension ModelHistory {
    /// The ways between two versions; from the first, where none is named.
    func transitions(from: String?, to: String?) throws -> [ModelTransition] {
        let versions = try versions()
        guard
            let start = from.map({ name in versions.versions.first { $0.name == name } })
                ?? versions.versions.first
        else {
            throw AdminError.usage(
                "there is no version \(from ?? "") of the model.",
                hint: "There are \(versions.versions.map(\.name).joined(separator: ", ")).")
        }
        return try versions.transitions(from: start.model, to: to)
    }
}
