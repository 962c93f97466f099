import ContextCore

/// A call of `data import --from` with a database of another program.
struct DatabaseImportCall {
    let call: CommandCall

    static let options: [OptionDeclaration] = [
        .option(
            "schema", nil, "NAME",
            "The schema to import, instead of the one in the URL of --from; the default is public."),
        .option(
            "numeric-dates", nil, "UNIT",
            "What numbers in columns of dates count, since 1970 or as Julian days.",
            choices: DatabaseValues.NumericDates.allCases.map(\.rawValue)),
        MappingFile.option,
    ]

    func run(
        _ reader: any ForeignTableReader, from source: AdministeredStore, to destination: AdministeredStore
    ) throws -> Report {
        let arguments = call.arguments
        let isDry = arguments.has("dry-run")
        let file = MappingFile(call)
        if let file, !file.exists { return try write(file, reader, source.title) }
        let existing = try destination.modelIfExists()
        let accepted = Set(try arguments.list("accept-loss") ?? [])
        let numericDates = arguments["numeric-dates"].flatMap { DatabaseValues.NumericDates(rawValue: $0) }
        let rejects = try DatabaseRejects(call)
        defer { rejects.close() }
        return try call.stopRequest.withSignalHandlers {
            let progress = ProgressLine(call.output)
            defer { progress.finish() }
            let database = try DatabaseImport(
                reader, title: source.title, existing: existing,
                values: DatabaseValues(numericDates: numericDates), file: file, acceptedLosses: accepted,
                rejects: rejects
            ) {
                progress.report($0, $1, of: $2)
                try call.checkImportInterruption()
            }
            var report = ImportReport(
                schema: "data.import.database", model: database.model,
                counts: try database.session.counts(in: database.model), remarks: database.remarks,
                losses: database.losses, rejected: rejects.count,
                details: ["rejected": .int(rejects.count)])
            if !isDry {
                report.result = try destination.write(model: database.model) { coordinator in
                    try SourceCopy(
                        call: call, source: database.session, model: database.model,
                        sourceID: "\(source.location ?? source.title): \(database.state)", progress: progress
                    ).copy(to: coordinator)
                }
            }
            var result = report.report()
            if rejects.count > 0 { result.exit = .differences }
            try call.writeReportFile(result)
            return result
        }
    }

    /// Writes the file of `--mapping` instead of importing, so that people can edit it first.
    private func write(_ file: MappingFile, _ reader: any ForeignTableReader, _ title: String) throws
        -> Report
    {
        if call.arguments.has("dry-run") {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "there is no mapping \(file.path).",
                hint: "Leave out --dry-run to write it.")
        }
        try DatabaseImport.checkIsForeign(reader, title)
        let imported = try ModelImport(reader, title: title)
        try file.write(imported)
        let json: [String: JSONValue] = [
            "file": .string(file.path), "tables": .int(imported.tables.count + imported.links.count),
        ]
        return Report("data.import.mapping", json) { _ in
            "Wrote \(file.path). Nothing was imported. Edit the file, and run the command again.\n"
        }
    }
}
