import ContextCore
import Foundation

/// Recovers the readable rows of a damaged store into a new one.
struct MaintainRecoverCommand: Command {
    let declaration = CommandDeclaration(
        words: ["maintain", "recover"],
        abstract: "Recovers the readable rows of a damaged SQLite store, and reports what is lost.",
        discussion: """
            The damaged file is not changed. The command reads its tables key by key around damaged pages, and rows from
            indexes that contain all their columns. It exits with 2 if rows are lost. Run 'check' on the new store, because
            references may point to lost rows. If you have a backup, prefer 'backup restore'.
            """,
        operands: [.init(name: "FILE", help: "A new SQLite file.")],
        examples: [
            .init(
                words: "maintain recover saved.sqlite -s dev",
                help: "When 'maintain integrity' has found damage.")
        ],
        formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.storeCommands.union([.differences, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let path = call.tool.environment.resolved(call.arguments.operands[0])
        guard !FileManager.default.fileExists(atPath: path) else {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the file \(path) already exists.",
                hint: "Choose another name.")
        }
        let tables = try store.inspect { inspector in
            guard let recoverer = inspector as? any StoreRecoverer else {
                _ = try inspector.models()
                throw StoreError(
                    .unsupportedRequest, "Only a SQLite store can be recovered.",
                    remedy: "Restore a backup with 'storectl backup restore'.")
            }
            return try ProgressLine.run("recovering", call.output) { try recoverer.recover(to: path) }
        }
        var rows = RowSet([
            .init("table"), .init("rows", isRightAligned: true),
            .init("from indexes", key: "fromIndexes", isRightAligned: true), .init("losses"),
        ])
        for table in tables {
            let losses = table.losses.joined(separator: " ")
            rows.append([
                .string(table.name), .count(table.rows), .count(table.rowsFromIndexes), .string(losses),
            ])
        }
        var report = Report("maintain.recover", rows: rows, json: ["file": .string(path)])
        if tables.contains(where: { !$0.losses.isEmpty }) { report.exit = .differences }
        return report
    }
}
