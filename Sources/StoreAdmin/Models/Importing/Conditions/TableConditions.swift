import ContextCore

/// The conditions of a table, converted to rules of its columns where rules can express them.
struct TableConditions {
    struct Rule {
        let rule: ConditionRule
        let check: TableStructure.Check
    }

    private(set) var rules: [Rule] = []
    /// The conditions that no rule expresses.
    private(set) var others: [TableStructure.Check] = []
    /// The conditions of which rules express only a part.
    private(set) var partial: [TableStructure.Check] = []

    init(_ structure: TableStructure) {
        for check in structure.checks {
            guard !check.isOfElements, let expression = SQLExpression(check.expression) else {
                others.append(check)
                continue
            }
            let reader = ConditionReader(structure: structure, valueColumn: check.column)
            let parts = expression.conjuncts.map(reader.rules)
            let known = parts.compactMap { $0 }
            rules += known.flatMap { $0 }.map { Rule(rule: $0, check: check) }
            if known.isEmpty {
                others.append(check)
            } else if known.count < parts.count {
                partial.append(check)
            }
        }
    }

    /// Returns the rules of a column.
    func rules(of column: String) -> [Rule] { rules.filter { $0.rule.column == column } }
}
