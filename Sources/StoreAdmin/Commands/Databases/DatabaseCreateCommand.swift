import ContextCore

/// Creates a database, and a store in it.
struct DatabaseCreateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["db", "create"], abstract: "Creates the database, and an empty store in it.",
        discussion: """
            A database or a store that exists is not changed. The model of the store is in the file of --model, or is the
            application's own. Without a model the command creates only the database, on backends that have databases.
            """,
        options: [.option("model", nil, "FILE", "The model of the store, as 'model show' prints it.")],
        examples: [
            .init(words: "db create -s prod", help: "An empty database on the server."),
            .init(words: "db create -s dev --model Models/V1.model.json", help: "A database with a store."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let model =
            try call.arguments["model"].map { try ModelSelection(call: call).file($0) } ?? call.tool.model
        let makeDatabase = store.backend.administration?.makeDatabase
        guard model != nil || makeDatabase != nil else {
            throw AdminError.usage(
                "a model is needed to create a \(store.backend.name) store.", hint: "Add --model FILE.")
        }
        let isDatabaseNew = try makeDatabase?(store.url) ?? false
        let isStoreNew = try model.map { try make($0, in: store) } ?? false
        let json: [String: JSONValue] = [
            "store": store.json, "databaseMade": .bool(isDatabaseNew), "storeMade": .bool(isStoreNew),
            "fingerprint": model.map { .string($0.fingerprint) } ?? .null,
        ]
        return Report("db.create", json) { _ in
            (makeDatabase == nil ? "" : "database \(isDatabaseNew ? "created" : "exists already")\n")
                + (model == nil ? "" : "store \(isStoreNew ? "created" : "exists already")\n")
        }
    }

    /// Creates a store, or throws if there is one with another model.
    ///
    /// - Returns: Whether the store was created.
    private func make(_ model: ObjectModel, in store: AdministeredStore) throws -> Bool {
        let isNew = try store.modelIfExists() == nil
        try store.write(model: model) { _ in }
        return isNew
    }
}
