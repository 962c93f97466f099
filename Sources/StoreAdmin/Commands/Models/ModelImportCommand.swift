import ContextCore

/// Derives a model from the tables of a database that another program created.
struct ModelImportCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "import"],
        abstract: "Prints a model file for the tables of another program's database.",
        discussion: """
            Parts of the tables that a model can't express, such as numeric primary keys and unknown column types, are listed on \
            standard error. The database is not changed. Review the names and the delete rules of the model.
            """,
        options: [.option("out", nil, "FILE", "A new file instead of standard output.")],
        examples: [
            .init(words: "model import -s sqlite:chinook.db > V1.model.json", help: "From a SQLite file."),
            .init(
                words: "model import -s 'postgres://app@db/shop?schema=public' --out V1.model.json",
                help: "From a schema on a server."),
        ], exitCodes: ExitCode.storeCommands.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        if try store.modelIfExists() != nil {
            throw AdminError.refused(
                "\(store.title) is already a store with a model.",
                hint: "Run 'storectl model show' to print the model.")
        }
        let tables = try store.inspect { try $0.structures() }
        guard tables.contains(where: { !$0.isView }) else {
            throw AdminError(
                code: "SC2002", exit: .inputMissing, message: "\(store.title) has no tables.",
                hint: "Check the path of the file, or set the schema in the URL.")
        }
        let imported = ModelImport(tables)
        let model = try ObjectModel(entities: imported.entities)
        for remark in imported.remarks { call.output.info(remark) }
        let json: [String: JSONValue] = [
            "model": JSONValue(try JSONDocument(model.fileText).root),
            "remarks": .array(imported.remarks.map(JSONValue.string)),
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
}
