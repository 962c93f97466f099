extension MigrationStep {
    /// Returns the step as text: its phase and sentence, followed by its effects on tables.
    package func lines(_ table: EffectTable, _ counts: [String: RowCount]?) -> [String] {
        ["  \(phase.rawValue): \(sentence)"] + table.lines(of: self, counts).map { "    \($0)" }
    }

    /// Returns the step as an SQL script, with its sentence and its effects on tables as comments.
    package func scriptLines(
        _ table: EffectTable, _ counts: [String: RowCount]?, _ frame: MigrationPlan.Frame
    ) -> [String] {
        var lines = ["-- \(phase.rawValue): \(sentence)"]
        lines += table.lines(of: self, counts).map { "--   \($0)" }
        switch work {
        case .statements(let statements):
            lines += frame.opening.map { $0 + ";" } + checks.map { "\($0.count); -- must be 0" }
            let others = bystanders?.objects ?? []
            let all = others.compactMap(\.dropping) + statements + others.compactMap(\.making)
            lines += all.map { $0 + ";" }
            if let lateStatements {
                lines += ["-- after derived attributes have been computed"] + lateStatements.map { $0 + ";" }
            }
            lines += frame.closing.map { $0 + ";" }
        case .separately(let statements): lines += statements.map { $0 + ";" }
        case .fill(let fill):
            for (name, text) in fill.conversions.sortedByBytes(of: \.key) {
                lines.append("-- \(fill.entityName).\(name) = \(text), \(fill.batchSize) rows at a time")
            }
            if !fill.stage.isEmpty {
                lines.append("-- the program's stage, \(fill.batchSize) rows at a time")
            }
            if !fill.derived.isEmpty {
                let names = fill.derived.joined(separator: ", ")
                lines.append("-- \(fill.entityName): \(names), \(fill.batchSize) rows at a time")
            }
            lines += (fill.statements ?? []).map { "--   \($0);" }
        }
        return lines
    }
}
