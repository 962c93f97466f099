import ContextCore

/// Looks a backup over.
struct BackupVerifyCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "verify"],
        abstract: "Checks that a backup can be restored, into a file and onto a server.",
        discussion: """
            It exits with 2 when the backup is damaged, when its objects are others than when it was made, and when objects
            break the model so that a server would refuse them. Such a backup can be restored into a SQLite file only.
            """,
        operands: [.init(name: "FILE", help: "The backup's path, or its name in the folder.")],
        options: [BackupFolder.option],
        examples: [
            .init(words: "backup verify prod-20260801T120000Z.sqlite", help: "Whether it can be relied on.")
        ], takesTenant: false,
        forms: [.json, .jsonl, .csv, .md], exits: [.differences, .badData, .inputMissing])

    func run(_ call: CommandCall) throws -> Report {
        let backup = try BackupFolder(call).backup(call.arguments.operands[0], call.tool.surroundings)
        let backend = try call.tool.fileBackend()
        var findings = try backup.findings(backend, call.output)
        // What is damaged can't be read object by object.
        if findings.isEmpty { findings = try backup.obstacles(backend, call.output) }
        var rows = RowSet(
            [.init("finding")],
            emptyText:
                "sound: \(Quantity.of(backup.objects, "object", "objects")) of \(backup.store), \(backup.date)"
        )
        for finding in findings { rows.append([.string(finding)]) }
        var report = Report(
            "backup.verify", rows: rows,
            json: ["file": .string(backup.path), "sha256": .string(backup.sha256)])
        if !findings.isEmpty { report.exit = .differences }
        return report
    }
}
