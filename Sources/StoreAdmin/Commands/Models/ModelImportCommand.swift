import ContextCore

/// Derives a model from the tables of a database that another program created.
struct ModelImportCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "import"],
        abstract: "Prints a model file for the tables of another program's database.",
        discussion: """
            Parts of the tables that a model can't express, such as numeric primary keys and unknown column types, are listed on \
            standard error. The database is not changed. Review the names and the delete rules of the model. To choose the names, write
            a file with --mapping, edit it, and run the command again.

            When the tables have changed, --merge adds the changes since the earlier import to the model that you have edited, and
            updates both files. What you have changed stays; where the tables changed the same, it is listed as a conflict.

            With --coredata it converts a model of Core Data instead, and with --versions all versions of it, which become frozen
            versions and migration files of the project. Transformable attributes become data, because only the rows of a store show
            what they contain: 'data import --from' reads those.
            """,
        options: [
            .option("out", nil, "FILE", "A new file instead of standard output."),
            .option(
                "schema", nil, "NAME",
                "The schema to read, instead of the one in the URL; the default is public."),
            .option("coredata", nil, "MODEL", "A model of Core Data: an .xcdatamodeld, .momd or .mom."),
            MappingFile.option, ModelMergeCall.mergeOption, ModelMergeCall.baseOption,
            .flag("versions", nil, "Writes all versions of the model into the project's folder."),
            ModelHistory.option,
        ],
        examples: [
            .init(words: "model import -s sqlite:chinook.db > V1.model.json", help: "From a SQLite file."),
            .init(
                words: "model import -s 'postgres://app@db/shop?schema=public' --out V1.model.json",
                help: "From a schema on a server."),
            .init(
                words: "model import --coredata App.xcdatamodeld --versions --project server",
                help: "All versions of an app's model."),
            .init(
                words: "model import -s sqlite:chinook.db --merge shop.model.json --base chinook.model.json",
                help: "The changes of the tables since they were imported as chinook.model.json."),
        ], exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate, .differences]))

    func run(_ call: CommandCall) throws -> Report {
        let mapping = MappingFile(call)
        let merge = try ModelMergeCall(call)
        if let path = call.arguments["coredata"] {
            try call.refuse(
                [MappingFile.option], "is an option for a database, and --coredata names a model.")
            let file = try CoreDataModelFile(call.tool.environment.resolved(path))
            if call.arguments.has("versions") { return try freeze(CoreDataVersions(file), call) }
            guard let version = file.current else { throw AdminError.badData("\(path) contains no model.") }
            var conversion = CoreDataConversion(version.model)
            let model = try conversion.validModel()
            return try report(model, conversion.remarks.map(\.sentence), merge, call)
        }
        let store = try call.store().replacingSchema(call.arguments["schema"])
        if try store.modelIfExists() != nil {
            throw AdminError.refused(
                "\(store.title) is already a store with a model.",
                hint: "Run 'storectl model show' to print the model.")
        }
        let imported = try imported(store, mapping)
        if let mapping, !mapping.exists { try mapping.write(imported) }
        let model = try ObjectModel(entities: imported.entities)
        return try report(model, imported.remarks.map { $0.lines() }, merge, call)
    }

    private func imported(_ store: AdministeredStore, _ mapping: MappingFile?) throws -> ModelImport {
        // Not every backend reads the rows of other programs, which show whether integer keys fit.
        guard let open = store.backend.administration?.openForeignRows else {
            return try ModelImport(
                store.inspect { try $0.structures() }, title: store.title, schema: nil, file: mapping)
        }
        let reader = try open(store.url)
        defer { reader.close() }
        return try ModelImport(reader, title: store.title, file: mapping)
    }

    /// Prints the remarks, and writes the model: to standard output, to a file, or into an edited model.
    private func report(
        _ model: ObjectModel, _ remarks: [String], _ merge: ModelMergeCall?, _ call: CommandCall
    ) throws -> Report {
        for remark in remarks { call.output.info(remark) }
        if let merge { return try merge.run(model) }
        let json: [String: JSONValue] = [
            "model": JSONValue(try JSONDocument(model.fileText).root),
            "remarks": .array(remarks.map(JSONValue.string)),
        ]
        guard let path = call.arguments["out"] else {
            return Report("model.import", json) { _ in model.fileText }
        }
        let sink = try FileSink(call.tool.environment.resolved(path))
        defer { sink.close() }
        try sink.write(model.fileText)
        try sink.finish()
        return Report("model.import", json) { _ in "\(path)\n" }
    }

    /// Writes versions as frozen versions, and the migrations between them.
    private func freeze(_ versions: CoreDataVersions, _ call: CommandCall) throws -> Report {
        let history = ModelHistory(call)
        for remark in versions.remarks { call.output.info(remark) }
        let models = versions.versions.map { (history.modelPath($0.name), $0.model.fileText) }
        let migrations = versions.manifests.map { (history.manifestPath($0.from, $0.to), $0.fileText) }
        for (path, text) in models + migrations { try history.write(text, to: path) }
        let paths = (models + migrations).map(\.0)
        let json: [String: JSONValue] = [
            "files": .array(paths.map(JSONValue.string)),
            "remarks": .array(versions.remarks.map(JSONValue.string)),
        ]
        return Report("model.import.versions", json) { _ in paths.map { $0 + "\n" }.joined() }
    }
}
