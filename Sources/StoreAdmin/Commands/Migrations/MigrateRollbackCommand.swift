import ContextCore

/// Takes back a migration that was begun.
struct MigrateRollbackCommand: Command {
    let declaration = CommandDeclaration(
        words: ["migrate", "rollback"], abstract: "Takes back a migration that was begun and not finished.",
        discussion: """
            It can be done until the first step of the last phase is. What programs of the newer version may have kept in
            what was added must be named by --accept-loss. Where a part of a reviewed plan is done and nothing is begun, the
            rest of that plan counts no more.
            """,
        options: [
            .option("accept-loss", nil, "A,B", "What may be lost, by name: Game, Game.title."),
            Confirmation.option,
        ],
        examples: [
            .init(
                words: "migrate rollback -s prod --confirm prod", help: "Where the newer version is no good.")
        ])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.check(call, store)
        let migrator = try store.backend.migrator(of: store.url)
        let transition: String?
        do {
            defer { migrator.close() }
            transition = try migrator.state().run?.transition
        }
        var options = MigrationOptions()
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        try store.backend.abandonMigration(of: store.url, options)
        let json: [String: JSONValue] = [
            "store": store.json, "transition": transition.map(JSONValue.string) ?? .null,
        ]
        return Report("migrate.rollback", json) { _ in
            transition.map { "\($0) was taken back.\n" } ?? "The rest of the reviewed plan counts no more.\n"
        }
    }
}
