import ContextCore

/// Prints the plan of a migration.
struct MigratePlanCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "plan"], abstract: "Prints the plan of a migration, and changes nothing.",
        discussion: """
            Below each step the plan lists the affected tables: the lock on the table, the work on its rows, and their number,
            counted or as the database estimates it. For a conversion or a stage it shows three objects with the values that
            are read and the property before and after; a stage runs on copies of them, and nothing is written. With --for the
            command needs no store, and plans the migration of any store of a version. The digest of a plan in a file doesn't
            depend on the rows: 'migrate apply --plan' runs exactly the reviewed plan. The command
            exits with 3 if objects of the store, such as duplicates, prevent the next step, and if the application's model is
            not frozen. Without frozen versions, --rename, --removed and --convert take the place of a migration file.
            """,
        options: [
            ModelHistory.option,
            .option("to", nil, "VERSION", "The version to migrate to. The default is the last one."),
            .flag("sql", nil, "Prints the SQL statements instead of sentences."),
            .option("for", nil, "BACKEND", "sqlite or postgres, instead of a store."),
            .option("from", nil, "VERSION", "The store's version, with --for. The default is the first one."),
            .option("out", nil, "FILE", "Also writes the plan to a new file."),
        ] + HintOptions.options,
        examples: [
            .init(words: "migrate plan -s prod --out plan.json", help: "For a review."),
            .init(words: "migrate plan --for postgres --sql", help: "The statements, without a server."),
        ], exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let version = call.arguments["to"]
        let sql = call.arguments.has("sql")
        let migration = try call.arguments["for"] == nil ? MigrationCall(call) : nil
        if let rest = try migration?.remainingMigration() {
            if call.arguments["out"] != nil {
                throw AdminError.refused(
                    "the migration \(rest.run.transition) is unfinished. No other can be planned until it is finished.",
                    hint: "Run 'storectl migrate resume' or 'storectl migrate rollback'.")
            }
            return rest.report(sql: sql)
        }
        let plan =
            try migration?.plan(to: version, isSampled: true) ?? MigrationPlan(call, to: version)
        let refusal = try migration?.refusal(of: plan)
        if let path = call.arguments["out"] {
            let sink = try FileSink(call.tool.environment.resolved(path))
            defer { sink.close() }
            try sink.write(ReviewedPlanFile.text(plan, to: version))
            try sink.finish()
        }
        return plan.report(sql: sql, refusedBy: refusal) { [tool = call.tool] style in
            sql ? "" : tool.withProgramName(plan.sampleText(style))
        }
    }
}

extension MigrationPlan {
    /// Makes the plan that a call requests: for a store, or with `--for` for any store of a version.
    init(_ call: CommandCall, to version: String?) throws {
        guard let name = call.arguments["for"] else {
            self = try MigrationCall(call).plan(to: version)
            return
        }
        guard let backend = call.tool.backends.first(where: { $0.schemes.contains(name) }) else {
            let known = call.tool.backends.compactMap(\.schemes.first)
            let near = Spelling.nearest(to: name, among: known).map { "Did you mean \($0)?" }
            throw AdminError.usage(
                "--for can't be “\(name)”.",
                hint: near ?? "The valid values are \(known.joined(separator: ", ")).")
        }
        self = try backend.migrationPlan(
            ModelHistory(call).transitions(from: call.arguments["from"], to: version))
    }
}

extension ModelHistory {
    /// Returns the transitions between two versions, which default to the first and the last one.
    func transitions(from: String?, to: String?) throws -> [ModelTransition] {
        let versions = try versions()
        guard
            let start = from.map({ name in versions.versions.first { $0.name == name } })
                ?? versions.versions.first
        else {
            throw AdminError.usage(
                "there is no version \(from ?? "") of the model.",
                hint: "The versions are \(versions.versions.map(\.name).joined(separator: ", ")).")
        }
        return try versions.transitions(from: start.model, to: to)
    }
}
