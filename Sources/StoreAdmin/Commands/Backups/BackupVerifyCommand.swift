import ContextCore

/// Checks a backup.
struct BackupVerifyCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "verify"],
        abstract: "Checks that a backup can be restored, into a file and onto a server.",
        discussion: """
            It exits with 2 if the backup is damaged, if its objects have changed since it was made, or if a server would
            reject objects that violate the model. In the last case it can be restored into a SQLite file only.
            """,
        operands: [.init(name: "FILE", help: "The backup's path, or its name in the folder.")],
        options: [BackupFolder.option],
        examples: [
            .init(words: "backup verify prod-20260801T120000Z.sqlite", help: "Checks one backup.")
        ], takesTenant: false,
        formats: [.json, .jsonl, .csv, .md], exitCodes: [.differences, .badData, .inputMissing])

    func run(_ call: CommandCall) throws -> Report {
        let backup = try BackupFolder(call).backup(call.arguments.operands[0], call.tool.environment)
        let backend = try call.tool.fileBackend()
        var findings = try backup.findings(backend, call.output)
        // The objects of a damaged file can't be read reliably.
        if findings.isEmpty { findings = try backup.obstacles(backend, call.output) }
        var rows = RowSet(
            [.init("finding")],
            emptyText:
                "intact: \(Quantity.text(backup.objects, "object", "objects")) of \(backup.store), \(backup.date)"
        )
        for finding in findings { rows.append([.string(finding)]) }
        var report = Report(
            "backup.verify", rows: rows,
            json: ["file": .string(backup.path), "sha256": .string(backup.sha256)])
        if !findings.isEmpty { report.exit = .differences }
        return report
    }
}
