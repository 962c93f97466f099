import ContextCore

/// Replaces a store with a backup.
struct BackupRestoreCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "restore"],
        abstract: "Replaces a store with a backup; the store's current contents are lost.",
        discussion: """
            The command verifies the backup first, and requires the store's name as --confirm. Stop all programs that use
            the store. The replacement is atomic: if the command fails or is killed, the store is unchanged. On a server
            it first copies the backup into another schema, named after the store's, which the role needs permission to
            create. User-defined objects that would be dropped with the store's tables must be named by --accept-loss.
            """,
        operands: [.init(name: "FILE", help: "The backup's path, or its name in the folder.")],
        options: [
            BackupFolder.option, .option("confirm", nil, "STORE", "The store's name."),
            UserObjectLosses.option,
        ],
        examples: [
            .init(
                words: "backup restore dev-20260801T120000Z.sqlite -s dev --confirm dev",
                help: "Restores that backup.")
        ], exitCodes: ExitCode.storeCommands.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let backend = try call.tool.fileBackend()
        let backup = try BackupFolder(call).backup(call.arguments.operands[0], call.tool.environment)
        try Confirmation.require(
            call, store, because: "the backup would replace \(store.title), whose contents would be lost.")
        if try store.modelIfExists() != nil { try store.inspect { try UserObjectLosses.check(call, $0) } }
        if let finding = try backup.findings(backend, call.output).first {
            throw AdminError.badData("the backup is damaged: \(finding)", hint: "Restore another backup.")
        }
        if store.backend.schemes != backend.schemes,
            let obstacle = try backup.obstacles(backend, call.output).first
        {
            throw AdminError.badData(
                "\(store.backend.name) would reject objects of the backup: \(obstacle)",
                hint: "Restore it into a SQLite file, run 'storectl check' on that, and repair its findings."
            )
        }
        try BackupRestoration(backup: backup, store: store, backend: backend, output: call.output).restore()
        let json: [String: JSONValue] = [
            "store": store.json, "file": .string(backup.path), "objects": .int(backup.objects),
            "sha256": .string(backup.sha256),
        ]
        return Report("backup.restore", json) { _ in
            "restored \(store.title) from the backup of \(backup.store) at \(backup.date): \(Quantity.text(backup.objects, "object", "objects"))\n"
        }
    }
}
