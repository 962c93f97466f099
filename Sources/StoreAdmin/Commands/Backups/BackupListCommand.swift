import ContextCore

/// Lists the backups of a folder.
struct BackupListCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "list"], abstract: "Lists the backups in a folder, the newest last.",
        discussion: "With --store or --tenant it lists only the backups of that store.",
        options: [BackupFolder.option],
        examples: [
            .init(words: "backup list", help: "The backups of all stores."),
            .init(words: "backup list -s prod", help: "The backups of one store."),
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: [.configuration])

    func run(_ call: CommandCall) throws -> Report {
        let folder = BackupFolder(call)
        guard call.namesStore else {
            return Report("backup.list", rows: Self.rows(folder.backups()))
        }
        let store = try call.store()
        let (own, others) = folder.backups(of: store)
        if others > 0 {
            call.output.info(
                "not listed: \(Quantity.text(others, "backup", "backups")) of another store named \(store.title) or without a recorded location"
            )
        }
        return Report("backup.list", rows: Self.rows(own))
    }

    static func rows(_ backups: [StoreBackup]) -> RowSet {
        var rows = RowSet(
            [
                .init("file"), .init("store"), .init("date"), .init("objects", isRightAligned: true),
                .init("size", key: "bytes", isRightAligned: true), .init("sha256"),
            ], emptyText: "no backups")
        for backup in backups {
            let name = backup.path.split(separator: "/").last.map(String.init) ?? ""
            rows.append([
                .string(name), .string(backup.store), .string(backup.date), .count(backup.objects),
                .bytes(backup.bytes),
                RowSet.Cell(text: String(backup.sha256.prefix(12)), json: .string(backup.sha256)),
            ])
        }
        return rows
    }
}
