import ContextCore

/// Takes back a migration that was begun.
struct MigrateRollbackCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "rollback"], abstract: "Takes back a migration that was begun and not finished.",
        discussion: """
            It can be done until the first step of the last phase is. What programs of the newer version may have kept in
            what was added must be named by --accept-loss, and a backup is made before it goes. Stop those programs before: what they
            write while it is made, or later, is in no backup. Where a part of a reviewed plan is done and nothing is begun,
            the rest of that plan counts no more.
            """,
        options: [
            .option("accept-loss", nil, "A,B", "What may be lost, by name: Game, Game.title."),
            MigrationBackups.option, BackupFolder.option, Confirmation.option,
        ],
        examples: [
            .init(
                words: "migrate rollback -s prod --confirm prod", help: "Where the newer version is no good.")
        ], exits: ExitCode.ofStores.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.check(call, store)
        let state = try store.backend.migrationState(of: store.url)
        var options = MigrationOptions()
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        let backups = MigrationBackups(call, store)
        let isKept = backups.areNeeded(beforeTakingBack: state, accepting: options.acceptedLosses)
        // What is going to be refused is not copied before, once for each try.
        try state.run?.checkTakingBack(accepting: options.acceptedLosses)
        let made = try isKept ? [backups.make(of: state, isTakenBack: true)] : []
        if made.isEmpty, backups.areNamed {
            call.output.note("no backup is made: no program of the newer version can have kept anything.")
        }
        try store.backend.abandonMigration(of: store.url, options)
        let transition = state.run?.transition
        let json: [String: JSONValue] = [
            "store": store.json, "transition": transition.map(JSONValue.string) ?? .null,
            "backups": .array(made.map(JSONValue.string)),
        ]
        return Report("migrate.rollback", json) { _ in
            transition.map { "\($0) was taken back.\n" } ?? "The rest of the reviewed plan counts no more.\n"
        }
    }
}
