import ContextCore
import Foundation

/// Saves what can be read of a damaged store into a new one.
struct MaintainRecoverCommand: Command {
    let declaration = CommandDeclaration(
        words: ["maintain", "recover"],
        abstract: "Saves what can be read of a damaged SQLite store into a new file, and says what is lost.",
        discussion: """
            The damaged file is only read. Its tables are read key by key around pages that can't be read; rows that an index
            holds as a whole come from there. It exits with 2 when anything is lost. Run 'check' on the new store: references
            may lead to rows that are lost. Where there is a backup, 'backup restore' is better.
            """,
        operands: [.init(name: "FILE", help: "A new SQLite file.")],
        examples: [
            .init(
                words: "maintain recover saved.sqlite -s dev",
                help: "After 'maintain integrity' found damage.")
        ],
        forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let path = call.tool.surroundings.resolved(call.arguments.operands[0])
        guard !FileManager.default.fileExists(atPath: path) else {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the file \(path) is there already.",
                hint: "Name another.")
        }
        let tables = try store.inspect { inspector in
            guard let recoverer = inspector as? any StoreRecoverer else {
                _ = try inspector.models()
                throw StoreError(
                    .unsupportedRequest, "Only a SQLite store can be recovered from its file.",
                    remedy: "Restore a backup with 'storectl backup restore'.")
            }
            return try ProgressLine.during("recovering", call.output) { try recoverer.recover(to: path) }
        }
        var rows = RowSet([
            .init("table"), .init("rows", isRight: true),
            .init("from indexes", key: "fromIndexes", isRight: true), .init("losses"),
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
