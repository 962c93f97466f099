import ContextCore

/// Rolls back an unfinished migration.
struct MigrateRollbackCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "rollback"], abstract: "Rolls back an unfinished migration.",
        discussion: """
            A rollback is possible until the first step of the contract phase is done. It drops the entities and properties
            that the migration has added. If programs of the newer version may have saved data there, these must be named by
            --accept-loss, and a backup is made first. Stop these programs before: the backup doesn't contain what they save
            later. If a part of a reviewed plan is done and no migration is unfinished, the approval of the rest is withdrawn.
            """,
        options: [
            .option("accept-loss", nil, "A,B", "The losses to accept, by name: Game, Game.title."),
            MigrationBackups.option, BackupFolder.option, Confirmation.option,
        ],
        examples: [
            .init(
                words: "migrate rollback -s prod --confirm prod", help: "If the new version has problems.")
        ], exitCodes: ExitCode.storeCommands.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.check(call, store)
        let state = try store.backend.migrationState(of: store.url)
        var options = MigrationOptions()
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        let backups = MigrationBackups(call, store)
        let needsBackup = backups.areNeeded(beforeRollbackOf: state, accepting: options.acceptedLosses)
        // Throws before the backup, so that attempts that fail don't make backups.
        try state.run?.checkRollback(accepting: options.acceptedLosses)
        let made = try needsBackup ? [backups.make(of: state, precedesRollback: true)] : []
        if made.isEmpty, backups.hasExplicitPath {
            call.output.info("no backup is made: programs of the newer version can't have saved data.")
        }
        try store.backend.rollBackMigration(of: store.url, options)
        let transition = state.run?.transition
        let json: [String: JSONValue] = [
            "store": store.json, "transition": transition.map(JSONValue.string) ?? .null,
            "backups": .array(made.map(JSONValue.string)),
        ]
        return Report("migrate.rollback", json) { _ in
            transition.map { "\($0) was rolled back.\n" }
                ?? "The approval of the rest of the reviewed plan was withdrawn.\n"
        }
    }
}
