import ContextCore
import Foundation

/// Writes a report on a store as one HTML file.
struct ReportCommand: Command {
    let declaration = CommandDeclaration(
        words: ["report"],
        abstract: "Writes a report on a store as one HTML file, for people without access to it.",
        discussion: """
            It contains the status, the objects of each entity, the model with its diagram, the sizes, the findings of 'check',
            'doctor' and 'drift', and the migrations. It contains no values of objects and no passwords. It opens in a browser
            without a network, and can be printed. A section that fails shows its error, and the others are written. The
            command changes nothing in the store, and reads all of it unless --quick is given.
            """,
        options: [
            .option("out", nil, "FILE", "The new HTML file."),
            .flag("quick", nil, "Leaves out the check of every object."), ModelHistory.option,
        ],
        examples: [
            .init(words: "report --out store.html", help: "A report on the default store."),
            .init(words: "report -s prod --quick --out prod.html", help: "Without reading every object."),
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        guard let path = call.arguments["out"] else {
            throw AdminError.usage("'report' needs --out.", hint: "Add --out FILE, such as --out store.html.")
        }
        let store = try call.store()
        let file = call.tool.environment.resolved(path)
        // Fails before the work if the file can't be created. It doesn't stay, because the report lists temporary files in the
        // folder of the backups.
        try FileSink(file).close()
        let report = try StoreReport(on: store, call, isQuick: call.arguments.has("quick"))
        let text = ReportPage(report: report, tool: call.tool, date: Date()).text
        let sink = try FileSink(file)
        defer { sink.close() }
        try sink.write(text)
        try sink.finish()
        return Self.summary(of: report, path, byteCount: text.utf8.count)
    }

    private static func summary(of report: StoreReport, _ path: String, byteCount: Int) -> Report {
        var rows = RowSet([
            .init("section"), .init("findings", isRightAligned: true), .init("result"), .init("error"),
        ])
        for section in report.sections {
            rows.append([
                .string(section.name), .count(section.findingCount), .string(section.result),
                section.error.map { .string($0.message) } ?? .none,
            ])
        }
        rows.footer = "\(path), \(Quantity.bytes(Int64(byteCount)))"
        return Report(
            "report", rows: rows,
            json: [
                "store": report.store.json, "file": .string(path), "bytes": .int(byteCount),
                "findings": .int(report.findingCount),
            ])
    }
}
