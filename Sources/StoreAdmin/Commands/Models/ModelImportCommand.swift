import ContextCore

/// Works out a model for a database that another program made.
struct ModelImportCommand: Command {
    let declaration = CommandDeclaration(
        words: ["model", "import"],
        abstract: "Prints a model file for the tables of another program's database.",
        discussion: """
            What has no place in a model, such as keys that only number rows and types that no attribute has, is said on standard \
            error. The database is only read. The model is one to begin with: names and delete rules are guesses.
            """,
        options: [.option("out", nil, "FILE", "A new file in place of standard output.")],
        examples: [
            .init(words: "model import -s sqlite:chinook.db > V1.model.json", help: "Of a SQLite file."),
            .init(
                words: "model import -s 'postgres://app@db/shop?schema=public' --out V1.model.json",
                help: "Of a schema on a server."),
        ], exits: ExitCode.ofStores.union([.refused, .cannotCreate]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        if try store.modelIfThere() != nil {
            throw AdminError.refused(
                "\(store.title) is a store, and keeps its model.", hint: "Run 'storectl model show'.")
        }
        let tables = try store.inspect { try $0.structures() }
        guard tables.contains(where: { !$0.isView }) else {
            throw AdminError(
                code: "SC2002", exit: .inputMissing, message: "\(store.title) has no tables.",
                hint: "Name the file, or the URL's setting schema, in which they are.")
        }
        let imported = ModelImport(tables)
        let model = try ObjectModel(entities: imported.entities)
        for remark in imported.remarks { call.output.note(remark) }
        let json: [String: JSONValue] = [
            "model": JSONValue(try JSONDocument(model.fileText).root),
            "remarks": .array(imported.remarks.map(JSONValue.string)),
        ]
        guard let path = call.arguments["out"] else {
            return Report("model.import", json) { _ in model.fileText }
        }
        let sink = try FileSink(call.tool.surroundings.resolved(path))
        defer { sink.close() }
        try sink.write(model.fileText)
        try sink.finish()
        return Report("model.import", json) { _ in "\(path)\n" }
    }
}
