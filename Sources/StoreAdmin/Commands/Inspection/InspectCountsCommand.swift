import ContextCore

/// Counts the objects of every entity.
struct InspectCountsCommand: Command {
    let declaration = CommandDeclaration(
        words: ["inspect", "counts"], abstract: "Counts the objects of every entity exactly.",
        examples: [.init(words: "inspect counts", help: "The number of objects of each entity.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        try call.store().read("counts") { session, model in
            let counts = try model.layouts.filter { !$0.isAbstract }.map { layout in
                (layout.name, try session.count(of: layout, includesSubentities: false))
            }
            let largest = Int64(counts.map(\.1).max() ?? 0)
            var rows = RowSet([
                .init("entity"), .init("objects", isRightAligned: true), .init("", key: "bar"),
            ])
            for (name, count) in counts {
                rows.append([
                    .string(name), .count(count),
                    RowSet.Cell(text: Quantity.bar(Int64(count), of: largest), json: .null),
                ])
            }
            var report = Report("inspect.counts", rows: rows)
            report.rows?.columns.removeLast()
            report.rows?.rows = rows.rows.map { Array($0.dropLast()) }
            report.json["rows"] = .array(report.rows?.documents ?? [])
            return report
        }
    }
}
