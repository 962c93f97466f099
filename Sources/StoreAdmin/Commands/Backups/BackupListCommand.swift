import ContextCore

/// Lists the backups of a folder.
struct BackupListCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "list"], abstract: "Lists the backups of a folder, the newest last.",
        options: [BackupFolder.option],
        examples: [.init(words: "backup list", help: "What could be restored.")],
        forms: [.json, .jsonl, .csv, .md], exits: [])

    func run(_ call: CommandCall) throws -> Report {
        Report("backup.list", rows: Self.rows(BackupFolder(call).backups()))
    }

    static func rows(_ backups: [StoreBackup]) -> RowSet {
        var rows = RowSet(
            [
                .init("file"), .init("store"), .init("date"), .init("objects", isRight: true),
                .init("size", key: "bytes", isRight: true), .init("sha256"),
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
