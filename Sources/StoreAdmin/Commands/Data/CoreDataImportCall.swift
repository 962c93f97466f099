import ContextCore
import Foundation

/// A call of `data import --from` with a store of Core Data or SwiftData.
struct CoreDataImportCall {
    let call: CommandCall

    static let options: [OptionDeclaration] =
        [
            .option(
                "from", nil, "URL",
                "Another program's database to import instead of an export: a SQLite file, or the URL of a schema on a PostgreSQL server."
            )
        ] + modelOptions + [
            .option(
                "accept-loss", nil, "A,B",
                "The properties whose values can't all be taken over, such as Photo.image."),
            .option("report", nil, "FILE", "A new file for the report, as JSON if its name ends in .json."),
            .flag("resume", nil, "Continues an import with --from that was stopped."),
        ]

    /// The options that don't apply to other databases.
    static let modelOptions: [OptionDeclaration] = [
        .option(
            "coredata", nil, "MODEL",
            "The model of a Core Data store: an .xcdatamodeld, .momd or .mom. The default is the model that the store caches in itself."
        )
    ]

    func run(_ store: CoreDataStore, to destination: AdministeredStore) throws -> Report {
        let isDry = call.arguments.has("dry-run")
        let environment = call.tool.environment
        let file = try call.arguments["coredata"].map { try CoreDataModelFile(environment.resolved($0)) }
        return try call.stopRequest.withSignalHandlers {
            let progress = ProgressLine(call.output)
            defer { progress.finish() }
            let source = try CoreDataImport(store, file) {
                progress.report("checking \($0)", $1, of: $2)
                try call.checkImportInterruption()
            }
            var report = ImportReport(
                schema: "data.import.coredata", model: source.model,
                counts: try source.session.counts(in: source.model), remarks: source.remarks,
                losses: source.losses,
                details: ["version": source.versionName.map(JSONValue.string) ?? .null])
            if isDry { return try written(report) }
            try checkLosses(source)
            return try destination.write(model: source.model) { coordinator in
                report.result = try copy(source, to: coordinator, progress)
                return try written(report)
            }
        }
    }

    private func checkLosses(_ source: CoreDataImport) throws {
        let accepted = Set(try call.arguments.list("accept-loss") ?? [])
        let left = source.losses.filter { !accepted.contains($0.name) }
        if left.isEmpty { return }
        let names = Set(left.map(\.name)).sorted().joined(separator: ",")
        throw AdminError.refused(
            (["some values of the store can't be taken over, and would be empty:"]
                + left.prefix(20).map(\.sentence))
                .joined(separator: "\n"),
            hint: "Repair the store, or add --accept-loss \(names.shellQuoted).")
    }

    private func copy(
        _ source: CoreDataImport, to coordinator: any StoreCoordinator, _ progress: ProgressLine
    ) throws -> SourceCopy.Result {
        try SourceCopy(
            call: call, source: source.session, model: source.model,
            sourceID: source.store.storeID.uuidString, progress: progress,
            reservedKey: source.maxKey
        ).copy(to: coordinator)
    }

    /// Writes the report to the file of `--report`, and returns it.
    private func written(_ report: ImportReport) throws -> Report {
        let result = report.report()
        try call.writeReportFile(result)
        return result
    }
}
