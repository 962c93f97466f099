import ContextCore

/// Asks a database for an answer.
struct DatabasePingCommand: Command {
    let declaration = CommandDeclaration(
        words: ["db", "ping"], abstract: "Asks the database for an answer, once.",
        discussion: "It works on any database of a backend that the tool carries, a store or not.",
        examples: [.init(words: "db ping -s prod", help: "Whether the server is there and lets you in.")])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let start = ContinuousClock.now
        let facts = try store.inspect { try $0.facts() }
        let time = Quantity.milliseconds(ContinuousClock.now - start)
        return Report(
            "db.ping",
            ["store": store.json, "server": facts.json, "milliseconds": .int(time)]
        ) { _ in "\(store.title) answers: \(facts.product) \(facts.version), \(time) ms\n" }
    }
}

extension StoreFacts {
    /// The database's product and version as documents have them.
    var json: JSONValue { .object(["product": .string(product), "version": .string(version)]) }
}
