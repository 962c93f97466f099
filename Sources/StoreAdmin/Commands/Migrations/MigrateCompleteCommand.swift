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
            ], exits: ExitCode.ofStores.union([.refused, .cannotCreate]).union(ExitCode.ofStopping)))

    static let resume = MigrateCompleteCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "resume"],
            abstract: "Goes on with a migration that was begun and not finished.",
            discussion: """
                It goes on where the run was stopped or killed, as far as was asked for by then, and no further:
                a last phase that nobody has asked for is left to 'migrate complete', and later versions to 'migrate apply'.
                """,
            options: MigrationCall.running + [BackupFolder.option],
            examples: [.init(words: "migrate resume -s dev", help: "After a power cut.")],
            exits: ExitCode.ofStores.union([.refused]).union(ExitCode.ofStopping)))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        var done = MigrationOutcome()
        // What was begun is a plan of its own, which the store keeps.
        let state = try migration.state()
        let begun = state.run
        if declaration.words[1] == "resume" {
            guard let begun else {
                return Report("migrate.apply", migration.report(done).json) { _ in "Nothing was begun.\n" }
            }
            try migration.finishRun(to: nil, through: begun.lastPhase, &done)
            return migration.report(done)
        }
        let isBegun = begun != nil
        if isBegun {
            try migration.checkWay(after: state)
            try migration.finishRun(to: nil, through: .contract, &done)
        }
        // What comes after it can be planned only now.
        let plan = try migration.plan(to: nil)
        if isBegun, plan.isEmpty { return migration.report(done) }
        try migration.confirm(plan)
        try migration.run(plan, to: nil, through: .contract, &done)
        return migration.report(done)
    }
}
