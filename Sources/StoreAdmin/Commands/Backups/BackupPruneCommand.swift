import ContextCore
import Foundation

/// Removes a store's oldest backups.
struct BackupPruneCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "prune"], abstract: "Removes the oldest backups of a store.",
        options: [
            BackupFolder.option,
            .option("keep", nil, "N", "The number of newest backups to keep, at least 1. Required."),
            Confirmation.option,
        ],
        examples: [
            .init(words: "backup prune -s prod --keep 7 --confirm prod", help: "Keeps the last seven.")
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: [.refused, .configuration])

    func run(_ call: CommandCall) throws -> Report {
        guard let keep = try call.arguments.positiveCount("keep") else {
            throw AdminError.usage(
                "'backup prune' needs --keep.", hint: "Add --keep N with the number of backups to keep.")
        }
        let store = try call.store()
        try Confirmation.check(call, store)
        let (backups, others) = BackupFolder(call).backups(of: store)
        let old = Array(backups.dropLast(keep))
        for backup in old {
            try FileManager.default.removeItem(atPath: backup.path)
            try FileManager.default.removeItem(atPath: StoreBackup.metadataPath(of: backup.path))
        }
        var rows = BackupListCommand.rows(old)
        rows.emptyText =
            "nothing to remove: \(Quantity.text(backups.count, "backup", "backups")) of \(store.title)"
        rows.footer = "removed"
        if others > 0 {
            call.output.info(
                "not removed: \(Quantity.text(others, "backup", "backups")) of another store named \(store.title) or without a recorded location"
            )
        }
        return Report("backup.prune", rows: rows)
    }
}
