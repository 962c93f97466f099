import ContextCore

/// Makes a database, and a store in it.
struct DatabaseCreateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["db", "create"], abstract: "Makes the database, and an empty store of a model in it.",
        discussion: """
            What is there already is left as it is. The model is a file's, or the application's own; without one, only the
            database is made, where the backend has databases of its own.
            """,
        options: [.option("model", nil, "FILE", "The model of the store, as 'model show' prints it.")],
        examples: [
            .init(words: "db create -s prod", help: "A database on the server, for an application to fill."),
            .init(words: "db create -s dev --model Models/V1.model.json", help: "And a store in it."),
        ])

    func run(_ call: CommandCall) throws -> Report {
        let store = try call.store()
        let model =
            try call.arguments["model"].map { try ModelSelection(call: call).file($0) } ?? call.tool.model
        let makeDatabase = store.backend.administration?.makeDatabase
        guard model != nil || makeDatabase != nil else {
            throw AdminError.usage(
                "a store of \(store.backend.name) is made with its model.", hint: "Add --model FILE.")
        }
        let isDatabaseNew = try makeDatabase?(store.url) ?? false
        let isStoreNew = try model.map { try make($0, in: store) } ?? false
        let json: [String: JSONValue] = [
            "store": store.json, "databaseMade": .bool(isDatabaseNew), "storeMade": .bool(isStoreNew),
            "fingerprint": model.map { .string($0.fingerprint) } ?? .null,
        ]
        return Report("db.create", json) { _ in
            (makeDatabase == nil ? "" : "database \(isDatabaseNew ? "made" : "there already")\n")
                + (model == nil ? "" : "store \(isStoreNew ? "made" : "there already")\n")
        }
    }

    /// Makes a store, or makes sure that the one that is there is of the model; answers whether it was made.
    private func make(_ model: ObjectModel, in store: AdministeredStore) throws -> Bool {
        let isNew = try store.modelIfThere() == nil
        try store.write(model: model) { _ in }
        return isNew
    }
}
