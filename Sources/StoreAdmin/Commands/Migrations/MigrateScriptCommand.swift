import ContextCore

/// Prints the statements of a migration.
struct MigrateScriptCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "script"], abstract: "Prints the statements of a migration, for a backend.",
        discussion: """
            It is for reading: what stops a step, what is worked out batch by batch, and what is noted about a migration
            are comments. 'migrate apply' runs it.
            """,
        options: [
            ModelHistory.option, .option("for", nil, "BACKEND", "sqlite or postgres, in place of a store."),
            .option("from", nil, "VERSION", "The version of the store, with --for; the first unless given."),
            .option("to", nil, "VERSION", "The version at which the store ends; the last unless given."),
        ],
        examples: [
            .init(
                words: "migrate script --for postgres --from V1 --to V2", help: "For whoever runs the server."
            )
        ])

    func run(_ call: CommandCall) throws -> Report {
        // Nothing else can be planned before it is done.
        if call.arguments["for"] == nil, let rest = try MigrationCall(call).rest() {
            return Report("migrate.script", rest.scriptJSON) { _ in rest.text(sql: true) }
        }
        let plan = try MigrationPlan(call, to: call.arguments["to"])
        return Report(
            "migrate.script",
            [
                "backend": .string(plan.backend), "digest": .string(plan.digest),
                "script": .string(plan.script),
            ]
        ) { _ in plan.script }
    }
}
