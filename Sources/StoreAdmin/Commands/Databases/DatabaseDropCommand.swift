import ContextCore

/// Removes a store.
struct DatabaseDropCommand: Command {
    let declaration = CommandDeclaration(
        words: ["db", "drop"], abstract: "Removes a store with everything that it holds.",
        discussion: """
            It asks for the store's name. A store in a file goes with its file; one on a server goes from its schema, and
            the database stays. Where other tables stand beside the store's, or somebody uses the file, it is refused. What
            others have made on the store's tables of a server, and goes with them, has to be named by --accept-loss.
            """,
        options: [.option("confirm", nil, "STORE", "The store's name."), OthersThings.option],
        examples: [.init(words: "db drop -s test --confirm test", help: "Before a test begins anew.")],
        exits: ExitCode.ofStores.union([.refused]))

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        try Confirmation.demand(call, store, because: "everything in \(store.title) would be lost.")
        let bytes = try store.maintain { maintainer in
            _ = try maintainer.models()
            let others = try maintainer.tables().filter { $0.role == .other }.map(\.name)
            guard others.isEmpty else {
                throw AdminError.refused(
                    "other tables stand beside the store's: \(others.prefix(10).joined(separator: ", ")).",
                    hint: "Remove them by hand, or leave the store where it is.")
            }
            try OthersThings.check(call, maintainer)
            let bytes = try maintainer.facts().bytes
            try maintainer.drop()
            return bytes
        }
        let json: [String: JSONValue] = ["store": store.json, "bytes": bytes.map { .int(Int($0)) } ?? .null]
        return Report("db.drop", json) { _ in
            "\(store.title) is gone\(bytes.map { ", \(Quantity.bytes($0))" } ?? "")\n"
        }
    }
}
