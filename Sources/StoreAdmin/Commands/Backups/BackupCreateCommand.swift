import ContextCore
import Foundation

/// Makes a backup of a store.
struct BackupCreateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "create"], abstract: "Copies a snapshot of a store into a SQLite file.",
        discussion: """
            Programs can use the store meanwhile. The backup is a complete store, which any program can open, and the
            command verifies it. Its metadata is in a file beside it that ends in .json. A store on a server is copied
            object by object, without its history. The command fails if such a store has an object that refers to a missing
            object, or to an object of a wrong entity. A store in a file is backed up even if a server would reject some of
            its objects, and the command then exits with 2.
            """,
        options: [
            BackupFolder.option,
            .option("out", nil, "FILE", "The new file. The default name has the store's name and the time."),
        ],
        examples: [
            .init(words: "backup create -s prod", help: "Every night, with 'backup prune' after it."),
            .init(words: "backup create --out before.sqlite", help: "Before a risky change."),
        ],
        exitCodes: ExitCode.storeCommands.union([.cannotCreate, .differences]).union(
            ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let folder = BackupFolder(call)
        let out = call.arguments["out"].map(call.tool.environment.resolved)
        _ = try store.model()
        let path = out ?? folder.newPath(for: store, CivilTime(date: Date()).text)
        let backend = try call.tool.fileBackend()
        let creation = BackupCreation(
            store: store, backend: backend, path: path, output: call.output, findsObstacles: true,
            stopRequest: call.stopRequest)
        let (backup, obstacles) = try out == nil ? folder.withFolder(creation.make) : creation.make()
        let json: [String: JSONValue] = [
            "file": .string(path), "store": .string(backup.store), "objects": .int(backup.objects),
            "bytes": .int(Int(backup.bytes)), "sha256": .string(backup.sha256),
            "findings": .array(obstacles.map { .string($0) }),
        ]
        let verdict =
            obstacles.isEmpty
            ? "verified" : "not restorable onto a server: run 'storectl backup verify' for the reasons"
        return Report("backup.create", json, exit: obstacles.isEmpty ? .success : .differences) { _ in
            """
            \(path)
            \(Quantity.text(backup.objects, "object", "objects")), \(Quantity.bytes(backup.bytes)), \(verdict)

            """
        }
    }
}
