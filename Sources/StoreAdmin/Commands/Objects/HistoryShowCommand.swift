import ContextCore

/// Shows the changes of a save.
struct HistoryShowCommand: Command {
    let declaration = CommandDeclaration(
        words: ["history", "show"], abstract: "Shows the changes of a save, object by object.",
        operands: [.init(name: "SAVE", help: "The save's number in 'history list'.")],
        examples: [.init(words: "history show 1", help: "All objects that the save changed.")],
        formats: [.json, .jsonl, .csv, .md])

    func run(_ call: CommandCall) throws -> Report {
        let text = call.arguments.operands[0]
        guard let number = Int64(text), number > 0 else {
            throw AdminError.usage(
                "SAVE must be a number greater than 0, not “\(text)”.",
                hint: "Run 'storectl history list' to list the saves.")
        }
        return try call.store().read("history") { session, model in
            let request = HistoryRequest(
                after: StoreToken(storeID: session.token.storeID, sequence: number - 1), limit: 1)
            // A request after a save that is greater than the store's last one throws another error.
            guard number <= session.token.sequence, let transaction = try session.history(request).first,
                transaction.token.sequence == number
            else {
                throw StoreError(
                    .objectNotFound, "The history has no save \(number).",
                    remedy: "Run 'storectl history list' to list the saves.")
            }
            var rows = RowSet([
                .init("change"), .init("object"), .init("properties"), .init("preserved"),
            ])
            for change in transaction.changes {
                let layout = model.layouts[change.entityIndex]
                let names = change.changedProperties
                rows.append([
                    .string(change.kind.rawValue), .string("\(layout.name):\(change.key)"),
                    RowSet.Cell(
                        text: names.joined(separator: ", "), json: .array(names.map(JSONValue.string))),
                    Self.cell(change.tombstone, layout),
                ])
            }
            var report = Report("history.show", rows: rows)
            report.isData = true
            return report
        }
    }

    /// Returns the cell of a deleted object's tombstone.
    private static func cell(_ tombstone: [String: StoredValue], _ layout: EntityLayout) -> RowSet.Cell {
        let values = tombstone.sorted { $0.key < $1.key }
        let json = values.map { name, value in
            (name, layout.property(named: name)?.attribute.map { value.fileValue(of: $0.type) } ?? .null)
        }
        return RowSet.Cell(
            text: values.map { "\($0)=\(ValueText.text($1))" }.joined(separator: ", "),
            json: .object(Dictionary(json, uniquingKeysWith: { $1 })))
    }
}
