import ContextCore

/// Runs all phases of a migration, or goes on with one that was stopped.
struct MigrateCompleteCommand: Command {
    let declaration: CommandDeclaration

    static let complete = MigrateCompleteCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "complete"],
            abstract: "Runs the last phase too: what is no longer needed goes.",
            discussion: "Programs of the older version can't use the store afterwards.",
            options: MigrationCall.running + [BackupFolder.option],
            examples: [
                .init(words: "migrate complete -s prod --confirm prod", help: "Once no older program runs.")
            ]))

    static let resume = MigrateCompleteCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "resume"],
            abstract: "Goes on with a migration that was begun and not finished.",
            discussion: "It goes on where the run was stopped or killed, and then runs every phase.",
            options: MigrationCall.running + [BackupFolder.option],
            examples: [.init(words: "migrate resume -s dev", help: "After a power cut.")]))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        // What was begun is a plan of its own, which the store keeps.
        let isBegun = try migration.state().run != nil
        if declaration.words[1] == "resume", !isBegun {
            return Report(
                "migrate.apply",
                [
                    "store": migration.store.json, "transitions": .array([]), "steps": .int(0),
                    "pending": .bool(false), "notes": .array([]), "backup": .null,
                ]
            ) { _ in "Nothing was begun.\n" }
        }
        let report = try isBegun ? migration.finishRun() : nil
        // What comes after it can be planned only now.
        let plan = try migration.plan(to: nil)
        if let report, plan.isEmpty { return report }
        try migration.confirm(plan)
        return try migration.run(plan, to: nil, through: .contract)
    }
}
