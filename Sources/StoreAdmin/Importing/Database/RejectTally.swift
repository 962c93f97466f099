import ContextCore

/// Counts rejected rows by their table and reason, with the numbers of the first ones.
struct RejectTally {
    private struct Reason: Hashable {
        let table: String
        let text: String
    }

    private static let printedReasons = 20
    private static let printedRows = 10

    /// The number of rows, each counted once.
    private(set) var count = 0
    /// The reasons in the order of their first rows.
    private var reasons: [Reason] = []
    private var rows: [Reason: (count: Int, numbers: [String])] = [:]

    mutating func add(_ row: RejectedTableRow) {
        count += 1
        for text in row.reasons {
            let reason = Reason(table: row.table.name, text: text)
            if rows[reason] == nil { reasons.append(reason) }
            var known = rows[reason] ?? (0, [])
            known.count += 1
            if known.numbers.count < Self.printedRows, let number = row.number {
                known.numbers.append(number)
            }
            rows[reason] = known
        }
    }

    /// The first reasons with the numbers of rows, without values: `author: born must be a date (2 rows: 3, 7)`.
    var sentences: [String] {
        var sentences = reasons.prefix(Self.printedReasons).map { reason in
            let (count, numbers) = rows[reason] ?? (0, [])
            let list = numbers.joined(separator: ", ") + (count > numbers.count ? ", …" : "")
            let place = Quantity.text(count, "row", "rows") + (numbers.isEmpty ? "" : ": " + list)
            return "\(reason.table): \(reason.text) (\(place))"
        }
        let rest = reasons.count - sentences.count
        if rest > 0 { sentences.append("and \(Quantity.text(rest, "other reason", "other reasons"))") }
        return sentences
    }
}
