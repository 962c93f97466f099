import ContextCore
import Foundation

/// Makes a backup of a store.
struct BackupCreateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["backup", "create"], abstract: "Copies a store, as it is at one moment, into a SQLite file.",
        discussion: """
            Programs go on using the store meanwhile. The copy is a whole store, which any program can open, and is
            verified; its notes stand beside it in a file that ends in .json. A store on a server is copied object by
            object, without its history. Where objects break the model so that a server would refuse them, the backup is
            made all the same, and the command exits with 2.
            """,
        options: [
            BackupFolder.option,
            .option("out", nil, "FILE", "A new file, in place of one that is named after store and moment."),
        ],
        examples: [
            .init(words: "backup create -s prod", help: "Every night, with 'backup prune' after it."),
            .init(words: "backup create --out before.sqlite", help: "Before something that may go wrong."),
        ], exits: ExitCode.ofStores.union([.cannotCreate, .differences]).union(ExitCode.ofStopping))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let folder = BackupFolder(call)
        let out = call.arguments["out"].map(call.tool.surroundings.resolved)
        _ = try store.model()
        let path = out ?? folder.newPath(for: store, CivilTime(date: Date()).text)
        let backend = try call.tool.fileBackend()
        let making = BackupMaking(
            store: store, backend: backend, path: path, output: call.output, findsObstacles: true,
            interruption: call.interruption)
        let (backup, obstacles) = try out == nil ? folder.during(making.make) : making.make()
        let json: [String: JSONValue] = [
            "file": .string(path), "store": .string(backup.store), "objects": .int(backup.objects),
            "bytes": .int(Int(backup.bytes)), "sha256": .string(backup.sha256),
            "findings": .array(obstacles.map { .string($0) }),
        ]
        let verdict =
            obstacles.isEmpty ? "verified" : "a copy of the file only: run 'storectl backup verify'"
        return Report("backup.create", json, exit: obstacles.isEmpty ? .success : .differences) { _ in
            """
            \(path)
            \(Quantity.of(backup.objects, "object", "objects")), \(Quantity.bytes(backup.bytes)), \(verdict)

            """
        }
    }
}
