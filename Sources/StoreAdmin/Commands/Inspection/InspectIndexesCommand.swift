import ContextCore

/// Lists the indexes of every table, even in a database that is not a store.
struct InspectIndexesCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "indexes"], abstract: "Lists the indexes of every table.",
        discussion: "It works on any database of a supported backend, even if it is not a store.",
        examples: [.init(words: "inspect indexes", help: "The indexes and their sizes.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let tables = try call.store().inspect { try $0.tables() }
        var rows = RowSet(
            [
                .init("table"), .init("index"), .init("unique"),
                .init("size", key: "bytes", isRightAligned: true),
                .init("definition"),
            ], emptyText: "no indexes")
        for table in tables {
            for index in table.indexes {
                rows.append([
                    .string(table.name), .string(index.name), .flag(index.isUnique), .bytes(index.bytes),
                    .string(index.definition),
                ])
            }
        }
        return Report("inspect.indexes", rows: rows)
    }
}
