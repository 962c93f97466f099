import ContextCore

/// Drops a store.
struct DatabaseDropCommand: Command {
    let declaration = CommandDeclaration(
        words: ["db", "drop"], abstract: "Drops a store with all its objects.",
        discussion: """
            The command requires the store's name as --confirm. It removes the file of a store in a file, and the tables of a
            store on a server, where the database stays. It refuses to drop a store that has other tables beside its own, or
            whose file another program uses. User-defined objects on the tables of a server that would be dropped must be
            named by --accept-loss.
            """,
        options: [.option("confirm", nil, "STORE", "The store's name."), UserObjectLosses.option],
        examples: [.init(words: "db drop -s test --confirm test", help: "Before a test creates it again.")],
        exitCodes: ExitCode.storeCommands.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.require(call, store, because: "dropping \(store.title) deletes all its objects.")
        let bytes = try store.maintain { maintainer in
            _ = try maintainer.models()
            let others = try maintainer.tables().filter { $0.role == .other }.map(\.name)
            guard others.isEmpty else {
                throw AdminError.refused(
                    "there are other tables beside the store's: \(others.prefix(10).joined(separator: ", ")).",
                    hint: "Drop them manually, or keep the store.")
            }
            try UserObjectLosses.check(call, maintainer)
            let bytes = try maintainer.databaseInfo().bytes
            try maintainer.drop()
            return bytes
        }
        let json: [String: JSONValue] = ["store": store.json, "bytes": bytes.map { .int(Int($0)) } ?? .null]
        return Report("db.drop", json) { _ in
            "\(store.title) was dropped\(bytes.map { ", \(Quantity.bytes($0))" } ?? "")\n"
        }
    }
}
