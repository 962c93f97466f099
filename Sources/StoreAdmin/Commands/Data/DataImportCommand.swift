import ContextCore
import Foundation

/// Imports objects from an export, from the rows of a CSV or JSON Lines file, or from another program's database.
struct DataImportCommand: Command {
    /// The key of the store's metadata that marks an unfinished import.
    static let unfinishedKey = "storectl.importing"
    /// The value for an import of a file; an import of a database records its source instead.
    static let fileMark = "begun"

    let declaration = CommandDeclaration(
        words: ["data", "import"],
        abstract: "Imports an export, a CSV or JSON Lines file, or another program's database.",
        discussion: """
            Without --entity and --from, the file is an export, and the store is new or empty. The command checks all values against the
            validation rules, all references and all unique constraints before it writes the first object. Keys and versions are kept.

            With --entity, each row of the file is an object of that entity in a store that exists. The first line of a CSV file names the
            columns: a property, a part of a composite such as place.city, or a reference by a unique attribute such as game.title. Their
            types are those of the model. An empty field without quotation marks means null, and "" the empty text; if the property is
            required, an empty field means its default value. Numbers have a point, dates are in ISO 8601 or in --date-format, bytes in
            base64. With --key, a row updates the object that has the same unique values. A bad row stops the import, which then has
            changed nothing, unless such rows are rejected.

            With --from, the command imports the database of another program into a new or an empty store, and compares the result with the
            source value by value. It exits with 2 if they differ. It doesn't change the source. SIGINT and SIGTERM stop it between two
            batches, and --resume continues it.

            A SQLite file or a schema on a PostgreSQL server gets the model that 'model import' prints, unless the store exists: then its
            model must have the same names. With --mapping the first call writes a file with the names, which you can edit, and the next
            call imports with them. Integer primary keys become the keys of objects, foreign keys relationships, and tables of two
            foreign keys links. A row that can't be imported stops the import before anything is written. With --rejects or --on-error
            reject such rows are left out, together with the rows that refer to them, and the exit code is 2.

            Of a Core Data or SwiftData store, the command imports the model, the objects with their keys, and the files with large values
            beside the store. It refuses values that it can't take over until --accept-loss names them.
            """,
        operands: [
            .init(
                name: "FILE", help: "The export or the file of rows, or - for standard input.",
                isOptional: true)
        ],
        options: RowImportRun.options + ForeignImportCall.options + [
            .flag("dry-run", nil, "Checks the source, and writes nothing."),
            Confirmation.option,
        ],
        examples: [
            .init(words: "data import all.jsonl -s sqlite:new.sqlite", help: "Creates a new store."),
            .init(words: "data import all.jsonl --dry-run", help: "Checks a file."),
            .init(
                words: "data import games.csv --entity Game --key title --dry-run",
                help: "Shows the columns, and what would be inserted and updated."),
            .init(
                words: "data import p.csv --entity Player --map 'Spiel=game.title' --date-format dd.MM.yyyy",
                help: "Maps a column, and reads dates as they are."),
            .init(
                words: "data import --from App.sqlite --coredata App.xcdatamodeld -s prod",
                help: "Moves an app's store to a server."),
            .init(
                words: "data import --from chinook.db --report report.txt -s sqlite:music.sqlite",
                help: "Imports another program's SQLite file."),
        ],
        exitCodes: ExitCode.storeCommands.union([.refused, .differences, .cannotCreate]).union(
            ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        if let source = call.arguments["from"] {
            return try ForeignImportCall(call: call).run(source)
        }
        try call.refuse(
            ForeignImportCall.options, "is an option for another program's database, which --from names.")
        guard let path = call.arguments.operands.first else {
            throw AdminError.usage(
                "the file to import is missing.",
                hint: "Name an export or a file of rows, or another program's database with --from.")
        }
        let store = try call.store()
        let isDry = call.arguments.has("dry-run")
        if !isDry { try Confirmation.check(call, store) }
        if let entity = call.arguments["entity"] {
            return try RowImportRun(call, store.model(), entityName: entity).run(store)
        }
        try checkIsExport(path, call)
        var reader = try ExportReader(try text(path, call), name: path == "-" ? "standard input" : path)
        let memory = try StoreBackend.memory.coordinator(for: StoreURL("memory:"), reader.model)
        defer { memory.close() }
        try load(try reader.changes(), into: memory, reader.model)
        if !isDry { try write(memory, to: store, reader.model, call) }
        let count = reader.count
        let json: [String: JSONValue] = ["objects": .int(count), "written": .bool(!isDry)]
        return Report("data.import", json) { _ in
            "\(Quantity.text(count, "object", "objects")) \(isDry ? "can be imported" : "imported")\n"
        }
    }

    /// Throws if the arguments are those of a file of rows.
    private func checkIsExport(_ path: String, _ call: CommandCall) throws {
        let format = RowFile.Format(path: path)
        guard
            format == .csv || format == .tsv
                || RowImportRun.options.contains(where: { call.arguments.isGiven($0.name) })
        else { return }
        throw AdminError.usage(
            "the rows of \(path == "-" ? "a file" : path) need an entity.", hint: "Name it with --entity.")
    }

    private func text(_ path: String, _ call: CommandCall) throws -> String {
        let data =
            path == "-"
            ? try FileHandle.standardInput.readToEnd()
            : FileManager.default.contents(atPath: call.tool.environment.resolved(path))
        guard let data else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
                hint: "Check the path, and your permission to read the file.")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw AdminError.badData("\(path): the file is not valid UTF-8.")
        }
        return text
    }

    /// Loads the objects into a store in memory, which checks all references and unique constraints.
    private func load(_ changes: ChangeSet, into memory: any StoreCoordinator, _ model: ObjectModel) throws {
        let session = try memory.openWriteSession(SessionOptions(identifier: "import"))
        defer { session.end() }
        let conflicts = try session.apply(changes).conflicts
        guard conflicts.isEmpty else {
            throw AdminError.badData(
                conflicts.prefix(20).map { "\($0.text(in: model))." }.joined(separator: "\n"),
                hint:
                    "If the file is an export of a store, run 'storectl check --repair' on that store, and export it again."
            )
        }
        _ = try session.commit()
    }

    private func write(
        _ memory: any StoreCoordinator, to store: AdministeredStore, _ model: ObjectModel, _ call: CommandCall
    ) throws {
        let source = try memory.openReadSession(SessionOptions(identifier: "import"))
        defer { source.end() }
        try store.write(model: model) { coordinator in
            let isUnfinished = try coordinator.metadata().userInfo[Self.unfinishedKey] != nil
            let reading = try coordinator.openReadSession(.forAllRows(identifier: "import"))
            for root in model.layouts where root.rootIndex == root.index {
                if try reading.count(of: root, includesSubentities: true) == 0 { continue }
                reading.end()
                throw AdminError.refused(
                    "the store is not empty: it has objects of \(root.name).",
                    hint: isUnfinished
                        ? "They are from an import that was stopped. Drop the store with 'storectl db drop'."
                        : "Name an empty store, or one that does not exist yet.")
            }
            reading.end()
            let info = try coordinator.metadata().userInfo
            try coordinator.replaceUserInfo(info.merging([Self.unfinishedKey: Self.fileMark]) { $1 })
            let progress = ProgressLine(call.output)
            try StoreCopy(source: source, destination: coordinator, model: model, progress: progress.report)
                .copy()
            try coordinator.replaceUserInfo(info.filter { $0.key != Self.unfinishedKey })
        }
    }
}
