import ContextCore

/// Prints the statements of a migration.
struct MigrateScriptCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "script"], abstract: "Prints the SQL statements of a migration for a backend.",
        discussion: """
            The script is for review, not for execution: comments stand for checks, backfills in batches, and the metadata of the
            migration. 'migrate apply' runs the migration.
            """,
        options: [
            ModelHistory.option, .option("for", nil, "BACKEND", "sqlite or postgres, instead of a store."),
            .option("from", nil, "VERSION", "The store's version, with --for. The default is the first one."),
            .option("to", nil, "VERSION", "The version to migrate to. The default is the last one."),
        ],
        examples: [
            .init(
                words: "migrate script --for postgres --from V1 --to V2",
                help: "For a review by the database administrator.")
        ])

    func run(_ call: CommandCall) throws -> Report {
        // No other migration can be planned before an unfinished one is finished.
        if call.arguments["for"] == nil, let rest = try MigrationCall(call).remainingMigration() {
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
