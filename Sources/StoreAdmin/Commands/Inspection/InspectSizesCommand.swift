import ContextCore

/// Shows how much room each table takes; on a database that is no store, too.
struct InspectSizesCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "sizes"], abstract: "Shows how much room each table and its indexes take.",
        discussion: "It works on any database of a backend that the tool carries, a store or not.",
        examples: [.init(words: "inspect sizes", help: "Where the room went.")],
        forms: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let tables = try call.store().inspect { try $0.tables() }
        var rows = RowSet(
            [
                .init("table"), .init("holds"), .init("rows take", key: "bytes", isRight: true),
                .init("indexes take", key: "indexBytes", isRight: true),
            ], emptyText: "no tables")
        for table in tables.sorted(by: { ($1.total, $0.name) < ($0.total, $1.name) }) {
            let indexes = table.indexes.compactMap(\.bytes)
            rows.append([
                .string(table.name), .string(table.role.title), .bytes(table.bytes),
                .bytes(indexes.count == table.indexes.count ? indexes.reduce(0, +) : nil),
            ])
        }
        rows.footer = "\(Quantity.bytes(tables.reduce(0) { $0 + $1.total })) in all"
        return Report("inspect.sizes", rows: rows)
    }
}

extension TableFacts {
    /// The bytes of its rows and of its indexes, as far as they are known.
    fileprivate var total: Int64 { (bytes ?? 0) + indexes.reduce(0) { $0 + ($1.bytes ?? 0) } }
}

extension TableFacts.Role {
    /// What people call it.
    var title: String {
        switch self {
        case .objects(let entityName): entityName
        case .links: "links"
        case .values(let name): "values of \(name)"
        case .store: "the store's own"
        case .other: "not a store's"
        }
    }
}
