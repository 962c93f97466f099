import ContextCore

/// Writes objects as lines of JSON, or as the rows of a CSV file.
struct DataExportCommand: Command {
    let declaration = CommandDeclaration(
        words: ["data", "export"], abstract: "Writes the objects of one snapshot as lines of JSON.",
        discussion: """
            The first line contains the model, and each other line an object. 'data import' reads the export. It can read an
            export of some entities only if their objects don't refer to objects of other entities.

            With --format, the objects of one entity become rows without keys, which 'data import --entity' and other programs read. A
            reference is the unique attribute of its object, as in game.title.
            """,
        options: [
            .option("entity", nil, "A,B", "Only objects of these entities and their subentities."),
            .option(
                "format", nil, "FORMAT", "Writes the objects of one entity as rows.",
                choices: RowFile.Format.allCases.map(\.rawValue)),
            .option("where", nil, "PREDICATE", "Only the objects that satisfy it; with --format."),
            .option("order", nil, "KEYS", "The sort keys instead of the keys of the objects; with --format."),
            .option(
                "fields", "f", "A,B",
                "Attributes, and references such as game.title, instead of all; with --format."),
            .option(
                "out", nil, "FILE",
                "A new file instead of standard output. It appears when the export is complete."),
        ],
        examples: [
            .init(words: "data export --out all.jsonl", help: "All objects, into a file."),
            .init(words: "data export --entity Game | jq .values.title", help: "Into another program."),
            .init(
                words:
                    "data export --entity Player --format csv --where 'score > 10' -f name,game.title --out top.csv",
                help: "Two columns of some objects, for a spreadsheet."),
        ], formats: [],
        exitCodes: ExitCode.storeCommands.union([.cannotCreate]).union(ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let sink = try call.arguments["out"].map { try FileSink(call.tool.environment.resolved($0)) }
        defer { sink?.close() }
        let write: (String) throws -> Void = { text in
            if let sink { try sink.write(text) } else { try call.output.data(text) }
        }
        let count = try call.stopRequest.withSignalHandlers {
            let count = try exportRows(call, write) ?? exportAll(call, write)
            try sink?.finish()
            return count
        }
        if let path = call.arguments["out"] {
            call.output.info("\(Quantity.text(count, "object", "objects")) written to \(path)")
        }
        return .alreadyPrinted
    }

    /// Exports the rows of one entity; nil without `--format`.
    private func exportRows(_ call: CommandCall, _ write: (String) throws -> Void) throws -> Int? {
        let arguments = call.arguments
        guard let format = arguments["format"].flatMap({ RowFile.Format(rawValue: $0) }) else {
            if ["where", "order", "fields"].allSatisfy({ arguments[$0] == nil }) { return nil }
            throw AdminError.usage(
                "--where, --order and --fields select rows, which need --format.",
                hint: "Add --format csv or --format jsonl.")
        }
        guard let names = try arguments.list("entity"), names.count == 1, let name = names.first else {
            throw AdminError.usage("the rows of a file belong to one entity.", hint: "Name it with --entity.")
        }
        return try call.store().readAll("export") { session, model in
            let request = try ObjectRequest(name, arguments, session: session, model: model)
            let rows = try RowExport(
                session, request.entity, model, format, names: arguments.list("fields"))
            let progress = ProgressLine(call.output)
            return try rows.write(
                where: request.plan.predicate, order: request.plan.order,
                progress: { progress.report("exporting \(request.entity.name)", $0, of: $1) }
            ) { text in
                try checkInterruption(of: call)
                try write(text)
            }
        }
    }

    private func exportAll(_ call: CommandCall, _ write: (String) throws -> Void) throws -> Int {
        try call.store().readAll("export") { session, model in
            let entities = try model.families(call.arguments.list("entity")).filter { !$0.isAbstract }
            let links = LinkOwnerCheck(session: session, model: model) { try KeyChunks($0, session).all }
            try links.check(model.layouts.filter { layout in entities.contains { $0.isKind(of: layout) } })
            let all = try entities.reduce(0) { try $0 + session.count(of: $1, includesSubentities: false) }
            try write(ExportHeader.text(model, count: all))
            let progress = ProgressLine(call.output)
            return try entities.reduce(0) { sum, entity in
                try sum
                    + export(entity, session, model, progress) { text in
                        try checkInterruption(of: call)
                        try write(text)
                    }
            }
        }
    }

    private func checkInterruption(of call: CommandCall) throws(AdminError) {
        if call.arguments["out"] != nil { return try call.stopRequest.throwIfRequested(of: "the export") }
        try call.stopRequest.throwIfRequested(
            "the export", hint: "The output is incomplete. Run the command again.")
    }

    private func export(
        _ entity: EntityLayout, _ session: any ReadSession, _ model: ObjectModel, _ progress: ProgressLine,
        _ write: (String) throws -> Void
    ) throws -> Int {
        let line = ObjectLine(model: model)
        let collections = entity.storedCollections(in: model)
        let all = try KeyChunks(entity, session).all
        var done = 0
        try session.forEachBatch(of: all, entityIndex: entity.index) { keys, batch in
            var targets: [Int64: [(name: String, targets: [Int64])]] = [:]
            for property in collections {
                let plan = RelatedPlan(
                    entityIndex: entity.index, slot: property.slot, owners: keys, includesRows: false)
                let links = Dictionary(grouping: try session.related(plan).links, by: \.owner)
                for (owner, own) in links {
                    targets[owner, default: []].append((property.name, own.map(\.target)))
                }
            }
            let rows = Dictionary(
                (0..<batch.count).map { (batch.key(at: $0), $0) }, uniquingKeysWith: { first, _ in first })
            let text = keys.compactMap { key in rows[key].map { line.text(batch, $0, targets[key] ?? []) } }
            try write(text.joined())
            done += keys.count
            progress.report("exporting \(entity.name)", done, of: all.count)
        }
        return all.count
    }
}
