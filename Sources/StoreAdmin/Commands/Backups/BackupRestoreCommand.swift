import ContextCore

/// Puts a backup into the place of a store.
struct BackupRestoreCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "restore"], abstract: "Puts a backup into the place of a store, which is lost.",
        discussion: """
            The backup is verified first. It asks for the store's name, and nobody may use the store meanwhile. The store is
            replaced at once: where the command fails or is killed, the store is as it was. On a server the backup is
            copied into a schema of its own first, named after the store's, which the role has to be allowed to make; and
            what others have made on the store's tables, and goes with them, has to be named by --accept-loss.
            """,
        operands: [.init(name: "FILE", help: "The backup's path, or its name in the folder.")],
        options: [
            BackupFolder.option, .option("confirm", nil, "STORE", "The store's name."), OthersThings.option,
        ],
        examples: [
            .init(
                words: "backup restore dev-20260801T120000Z.sqlite -s dev --confirm dev",
                help: "Back to that moment.")
        ], exits: ExitCode.ofStores.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let backend = try call.tool.fileBackend()
        let backup = try BackupFolder(call).backup(call.arguments.operands[0], call.tool.surroundings)
        try Confirmation.demand(
            call, store, because: "what \(store.title) holds would be lost, and the backup take its place.")
        if try store.modelIfThere() != nil { try store.inspect { try OthersThings.check(call, $0) } }
        if let finding = try backup.findings(backend, call.output).first {
            throw AdminError.badData("the backup is not sound: \(finding)", hint: "Take another one.")
        }
        if store.backend.schemes != backend.schemes,
            let obstacle = try backup.obstacles(backend, call.output).first
        {
            throw AdminError.badData(
                "\(store.backend.name) would refuse the backup's objects: \(obstacle)",
                hint: "Restore it into a SQLite file, run 'storectl check' on that, and repair what it finds."
            )
        }
        try BackupRestoring(backup: backup, store: store, backend: backend, output: call.output).restore()
        let json: [String: JSONValue] = [
            "store": store.json, "file": .string(backup.path), "objects": .int(backup.objects),
            "sha256": .string(backup.sha256),
        ]
        return Report("backup.restore", json) { _ in
            "\(store.title) is as \(backup.store) was at \(backup.date): \(Quantity.of(backup.objects, "object", "objects"))\n"
        }
    }
}
