import ContextCore

/// Finishes a migration that was begun, or goes on with one that was stopped.
struct MigrateCompleteCommand: Command {
    let declaration: CommandDeclaration

    static let complete = MigrateCompleteCommand(
        declaration: CommandDeclaration(
            words: ["migrate", "complete"],
            abstract: "Finishes what was begun with its last phase: what is no longer needed goes.",
            discussion: """
                Programs of the older version can't use the store afterwards. It finishes the migration that was begun and no more; with
                --to it goes on to that version, with all phases, and refuses before anything is changed where somebody has to decide
                something on the way.
                """,
            options: [
                .option("to", nil, "VERSION", "The version to go on to, after what was begun.")
            ] + MigrationCall.running + [BackupFolder.option],
            examples: [
                .init(words: "migrate complete -s prod --confirm prod", help: "Once no older program runs."),
                .init(
                    words: "migrate complete -s dev --to V3", help: "What was begun, and all that follows."),
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
        try migration.checkAcceptedLosses(state)
        let begun = state.run
        if declaration.words[1] == "resume" {
            guard let begun else {
                return Report("migrate.apply", migration.report(done).json) { _ in "Nothing was begun.\n" }
            }
            try migration.finishRun(to: nil, through: begun.lastPhase, &done)
            return migration.report(done)
        }
        guard let version = call.arguments["to"] else {
            guard begun != nil else { return try nothingBegun(migration, state) }
            try migration.finishRun(to: nil, through: .contract, &done)
            return migration.report(done)
        }
        if let begun {
            try migration.checkWay(after: state)
            try migration.checkDecisions(after: begun, to: version)
            try migration.finishRun(to: version, through: .contract, &done)
        }
        // What comes after it can be planned only now.
        try migration.goOn(after: done) {
            let plan = try migration.plan(to: version)
            if begun != nil, plan.isEmpty { return }
            try migration.confirm(plan, after: done)
            try migration.run(plan, to: version, through: .contract, &done)
        }
        return migration.report(done)
    }

    /// Says that there is nothing to finish, and which versions wait.
    private func nothingBegun(_ migration: MigrationCall, _ state: MigrationState) throws -> Report {
        try Confirmation.check(migration.call, migration.store)
        let waiting = try migration.transitions(from: state).map(\.name).joined(separator: ", ")
        let next =
            waiting.isEmpty
            ? ""
            : migration.call.tool.named(
                " \(waiting) waits for 'storectl migrate apply', or for --to with a version.")
        return Report("migrate.apply", migration.report(MigrationOutcome()).json) { _ in
            "Nothing was begun.\(next)\n"
        }
    }
}
