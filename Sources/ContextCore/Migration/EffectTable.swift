/// Writes what steps mean for tables, a line a table in columns: the table, the lock on it, what becomes of its rows, how many there are.
package struct EffectTable {
    private let widths: [Int]

    /// - Parameters:
    ///   - steps: All steps that are written, so that the lines of all have the same columns.
    ///   - counts: How many rows tables have, by name; nil where that isn't known of any.
    package init(_ steps: some Sequence<MigrationStep>, _ counts: [String: RowCount]?) {
        self.init([(steps: Array(steps), counts: counts)])
    }

    /// The same for steps between several versions, between which tables may have other names.
    init(_ parts: [(steps: [MigrationStep], counts: [String: RowCount]?)]) {
        var widths = [0, 0, 0, 0]
        for part in parts {
            for effect in part.steps.flatMap({ $0.effects ?? [] }) {
                for (column, cell) in Self.cells(effect, part.counts).enumerated() {
                    widths[column] = max(widths[column], cell.count)
                }
            }
        }
        self.widths = widths
    }

    /// The lines of one of the steps.
    package func lines(of step: MigrationStep, _ counts: [String: RowCount]?) -> [String] {
        (step.effects ?? []).map { effect in
            var line = ""
            for (cell, width) in zip(Self.cells(effect, counts), widths) where width > 0 {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private static func cells(_ effect: TableEffect, _ counts: [String: RowCount]?) -> [String] {
        var rows = ""
        if let counts, effect.work != .closed {
            rows = counts[effect.table]?.description ?? "rows unknown"
        }
        return [effect.table, effect.lock ?? "", effect.work.words, rows]
    }
}
