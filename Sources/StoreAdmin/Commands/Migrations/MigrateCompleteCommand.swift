import ContextCore

/// Completes a migration with its contract phase, or resumes one that was stopped.
struct MigrateCompleteCommand: Command {
    let declaration: CommandDeclaration

    static let complete = MigrateCompleteCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "complete"],
            abstract: "Completes a migration with its contract phase, which drops obsolete data.",
            discussion: """
                Programs of the older version can't use the store afterward. The command finishes the unfinished migration. With
                --to it then runs all phases of the migrations up to that version; if one of them needs a decision, the command
                exits before it changes anything.
                """,
            options: [
                .option("to", nil, "VERSION", "The version to migrate to after the unfinished migration.")
            ] + MigrationCall.runOptions + [BackupFolder.option],
            examples: [
                .init(
                    words: "migrate complete -s prod --confirm prod", help: "When no older program runs."),
                .init(
                    words: "migrate complete -s dev --to V3",
                    help: "The unfinished migration, and those up to V3."),
            ],
            exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate]).union(
                ExitCode.stoppableCommands)))

    static let resume = MigrateCompleteCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "resume"],
            abstract: "Resumes an unfinished migration.",
            discussion: """
                It continues at the step at which the migration was stopped or killed, up to the phase that was requested then.
                It leaves the contract phase to 'migrate complete' unless it was requested, and later versions to 'migrate apply'.
                """,
            options: MigrationCall.runOptions + [BackupFolder.option],
            examples: [.init(words: "migrate resume -s dev", help: "After a power failure.")],
            exitCodes: ExitCode.storeCommands.union([.refused]).union(ExitCode.stoppableCommands)))

    func run(_ call: CommandCall) throws -> Report {
        let migration = try MigrationCall(call)
        var done = MigrationOutcome()
        // The store contains the plan of an unfinished migration.
        let state = try migration.state()
        try migration.checkAcceptedLosses(state)
        let unfinishedRun = state.run
        if declaration.words[1] == "resume" {
            guard let unfinishedRun else {
                return Report("migrate.apply", migration.report(done).json) { _ in
                    "There is no unfinished migration.\n"
                }
            }
            try migration.finishRun(to: nil, through: unfinishedRun.lastPhase, &done)
            return migration.report(done)
        }
        guard let version = call.arguments["to"] else {
            guard unfinishedRun != nil else { return try nothingUnfinished(migration, state) }
            try migration.finishRun(to: nil, through: .contract, &done)
            return migration.report(done)
        }
        if let unfinishedRun {
            try migration.checkFrozenVersions(after: state)
            try migration.checkDecisions(after: unfinishedRun, to: version)
            try migration.finishRun(to: version, through: .contract, &done)
        }
        // Further transitions can be planned only after the unfinished migration.
        try migration.continueMigration(after: done) {
            let plan = try migration.plan(to: version)
            if unfinishedRun != nil, plan.isEmpty { return }
            try migration.confirm(plan, after: done)
            try migration.run(plan, to: version, through: .contract, &done)
        }
        return migration.report(done)
    }

    /// Reports that no migration is unfinished, and which transitions are pending.
    private func nothingUnfinished(_ migration: MigrationCall, _ state: MigrationState) throws -> Report {
        try Confirmation.check(migration.call, migration.store)
        let waiting = try migration.transitions(from: state).map(\.name).joined(separator: ", ")
        let next =
            waiting.isEmpty
            ? ""
            : migration.call.tool.withProgramName(
                " \(waiting) is pending: run 'storectl migrate apply', or add --to with a version.")
        return Report("migrate.apply", migration.report(MigrationOutcome()).json) { _ in
            "There is no unfinished migration.\(next)\n"
        }
    }
}
