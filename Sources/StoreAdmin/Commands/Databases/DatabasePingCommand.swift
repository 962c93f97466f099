import ContextCore

/// Connects to a database once.
struct DatabasePingCommand: Command {
    let declaration = CommandDeclaration(
        words: ["db", "ping"], abstract: "Connects to the database once, and prints its version.",
        discussion: "It works on any database of a supported backend, even if it is not a store.",
        examples: [.init(words: "db ping -s prod", help: "Whether the server accepts the connection.")])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let start = ContinuousClock.now
        let facts = try store.inspect { try $0.databaseInfo() }
        let time = Quantity.milliseconds(ContinuousClock.now - start)
        return Report(
            "db.ping",
            ["store": store.json, "server": facts.json, "milliseconds": .int(time)]
        ) { _ in "\(store.title) responds: \(facts.product) \(facts.version), \(time) ms\n" }
    }
}

extension StoreFacts {
    /// The database's product and version, as JSON.
    var json: JSONValue { .object(["product": .string(product), "version": .string(version)]) }
}
