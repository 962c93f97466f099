import ContextCore

/// The report of an import of another program's database, as text and as JSON.
struct ImportReport {
    /// The name of the JSON document's shape.
    let schema: String
    let model: ObjectModel
    /// The number of objects of each entity in the source.
    let counts: [String: Int]
    let remarks: [ImportRemark]
    let losses: [ImportLoss]
    /// The number of rows that are left out because they can't be imported.
    var rejected = 0
    /// Further members of the JSON document.
    let details: [String: JSONValue]
    /// What the destination has; nil if nothing was written.
    var result: SourceCopy.Result?

    /// Whether the destination has the same objects as the source.
    private var isEqual: Bool { result.map { $0.differences.isEmpty && $0.counts == counts } ?? true }

    func report() -> Report {
        var rows = RowSet([
            .init("entity"), .init("source", isRightAligned: true), .init("copy", isRightAligned: true),
        ])
        for entity in model.layouts where !entity.isAbstract {
            let copied = result?.counts[entity.name]
            rows.append([
                .string(entity.name), .count(counts[entity.name] ?? 0), copied.map { .count($0) } ?? .none,
            ])
        }
        let differences = ComparisonTable.rows(result?.differences ?? [])
        let json: [String: JSONValue] = [
            "entities": .array(rows.documents), "written": .bool(result != nil), "equal": .bool(isEqual),
            "remarks": .array(
                remarks.map {
                    .object([
                        "kind": .string($0.kind.rawValue), "subject": .string($0.subject),
                        "text": .string($0.text), "statement": $0.statement.map { .string($0) } ?? .null,
                    ])
                }),
            "losses": .array(
                losses.map { loss in
                    .object([
                        "name": .string(loss.name), "reason": .string(loss.reason), "count": .int(loss.count),
                        "keys": .array(loss.keys.map { .int(Int($0)) }),
                    ])
                }),
            "differences": .array(differences.documents),
        ]
        let (isWritten, isEqual, remarks, losses) = (result != nil, self.isEqual, remarks, losses)
        let rejected = rejected
        let exit: ExitCode = isEqual ? .success : .differences
        return Report(schema, json.merging(details) { $1 }, exit: exit) { [rows] style in
            var text = rows.text(style)
            if !losses.isEmpty {
                text += "\nNot taken over:\n" + losses.map { "  \($0.sentence)\n" }.joined()
            }
            for (kind, title) in [
                (ImportRemark.Kind.changed, "In another form"), (.omitted, "Not in the model"),
            ] {
                let some = remarks.filter { $0.kind == kind }
                if !some.isEmpty {
                    text += "\n\(title):\n" + some.map { $0.lines(indentation: "  ") + "\n" }.joined()
                }
            }
            text += "\n"
            if rejected > 0 { text += Quantity.text(rejected, "row is", "rows are") + " rejected.\n" }
            guard isWritten else { return text + "Nothing was written.\n" }
            let verdict =
                isEqual
                ? style.green("The copy is equal to the source.")
                : style.red("The copy differs from the source.")
            return text + verdict + "\n" + (differences.rows.isEmpty ? "" : differences.text(style))
        }
    }
}
