import ContextCore

/// Prints digests of a store's objects.
struct DataChecksumCommand: Command {
    let declaration = CommandDeclaration(
        words: ["data", "checksum"],
        abstract: "Prints a digest of each entity's objects, which is the same on every backend.",
        options: [.option("entity", nil, "A,B", "Only these entities and their subentities.")],
        examples: [.init(words: "data checksum", help: "To compare a store with a copy.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().readAll("checksum") { session, model in
            let entities = try model.families(call.arguments.list("entity"))
            let digest = try StoreDigest(session, model, of: entities, call.output)
            var rows = RowSet([.init("entity"), .init("objects", isRightAligned: true), .init("sha256")])
            for entity in digest.entities {
                rows.append([.string(entity.name), .count(entity.count), .string(entity.digest)])
            }
            rows.footer = "all  \(digest.total)"
            return Report("data.checksum", rows: rows, json: ["sha256": .string(digest.total)])
        }
    }
}
