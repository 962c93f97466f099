/// A text table of the effects of migration steps, one line per table: its name, its lock, the work, and its number of rows.
package struct EffectTable {
    private let widths: [Int]

    /// Creates a table whose columns are wide enough for the effects of all steps.
    ///
    /// - Parameters:
    ///   - steps: All steps of the text, so that the columns of all lines are aligned.
    ///   - counts: The number of rows per table; nil if no counts are known.
    package init(_ steps: some Sequence<MigrationStep>, _ counts: [String: RowCount]?) {
        self.init([(steps: Array(steps), counts: counts)])
    }

    /// Creates a table for the steps of several migrations, in which tables may have different names.
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

    /// Returns the lines of one of the steps.
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
