import ContextCore
import Foundation

/// Reads objects from lines of JSON.
struct DataImportCommand: Command {
    /// The key of the store's metadata that marks an unfinished import.
    static let unfinishedKey = "storectl.importing"

    let declaration = CommandDeclaration(
        words: ["data", "import"],
        abstract: "Imports the output of 'data export' into an empty or a new store.",
        discussion: """
            The command checks all values against the validation rules, all references and all unique constraints before it
            writes the first object. Keys and versions are kept.
            """,
        operands: [.init(name: "FILE", help: "The file, or - for standard input.")],
        options: [
            .flag("dry-run", nil, "Checks the file, and writes nothing."),
            Confirmation.option,
        ],
        examples: [
            .init(words: "data import all.jsonl -s sqlite:new.sqlite", help: "Creates a new store."),
            .init(words: "data import all.jsonl --dry-run", help: "Checks a file."),
        ], exitCodes: ExitCode.storeCommands.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let isDry = call.arguments.has("dry-run")
        if !isDry { try Confirmation.check(call, store) }
        let path = call.arguments.operands[0]
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
                conflicts.prefix(20).map { "\($0.text(in: model))." }.joined(separator: "\n"))
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
            try coordinator.replaceUserInfo(info.merging([Self.unfinishedKey: "begun"]) { $1 })
            let progress = ProgressLine(call.output)
            try StoreCopy(source: source, destination: coordinator, model: model, progress: progress.report)
                .copy()
            try coordinator.replaceUserInfo(info.filter { $0.key != Self.unfinishedKey })
        }
    }
}
