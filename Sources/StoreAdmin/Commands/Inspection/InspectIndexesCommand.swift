import ContextCore

/// Lists the indexes of every table; on a database that is no store, too.
struct InspectIndexesCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "indexes"], abstract: "Lists the indexes of every table.",
        discussion: "It works on any database of a backend that the tool carries, a store or not.",
        examples: [.init(words: "inspect indexes", help: "What is indexed, and what that costs.")],
        forms: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let tables = try call.store().inspect { try $0.tables() }
        var rows = RowSet(
            [
                .init("table"), .init("index"), .init("unique"), .init("size", key: "bytes", isRight: true),
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
