import ContextCore

/// Shows the size of each table, even in a database that is not a store.
struct InspectSizesCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "sizes"], abstract: "Shows the size of each table and of its indexes.",
        discussion: "It works on any database of a supported backend, even if it is not a store.",
        examples: [.init(words: "inspect sizes", help: "The largest tables first.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        Report("inspect.sizes", rows: Self.rows(try call.store().inspect { try $0.tables() }))
    }

    /// Returns a row for each table, the largest first.
    static func rows(_ tables: [TableFacts]) -> RowSet {
        var rows = RowSet(
            [
                .init("table"), .init("contents", key: "holds"),
                .init("size", key: "bytes", isRightAligned: true),
                .init("index size", key: "indexBytes", isRightAligned: true),
            ], emptyText: "no tables")
        for table in tables.sorted(by: { ($1.total, $0.name) < ($0.total, $1.name) }) {
            let indexes = table.indexes.compactMap(\.bytes)
            rows.append([
                .string(table.name), .string(table.role.title), .bytes(table.bytes),
                .bytes(indexes.count == table.indexes.count ? indexes.reduce(0, +) : nil),
            ])
        }
        rows.footer = "\(Quantity.bytes(tables.reduce(0) { $0 + $1.total })) in total"
        return rows
    }
}

extension TableFacts {
    /// The known sizes of the rows and the indexes, in bytes.
    fileprivate var total: Int64 { (bytes ?? 0) + indexes.reduce(0) { $0 + ($1.bytes ?? 0) } }
}

extension TableFacts.Role {
    /// The name of the role in tables.
    var title: String {
        switch self {
        case .objects(let entityName): entityName
        case .links: "links"
        case .values(let name): "values of \(name)"
        case .store: "store metadata"
        case .other: "not part of a store"
        }
    }
}
