import ContextCore

/// Makes the attribute of a column, with the rules and the default that the database has for it.
struct AttributeConversion {
    let table: ImportedTable
    let conditions: TableConditions
    let facts: ImportFacts
    private(set) var remarks: [ImportRemark] = []

    init(_ table: ImportedTable, _ conditions: TableConditions, _ facts: ImportFacts) {
        self.table = table
        self.conditions = conditions
        self.facts = facts
    }

    mutating func attribute(
        named name: String, _ type: AttributeType, of column: TableStructure.Column
    ) -> AttributeDescription {
        var attribute = AttributeDescription(name, type, isOptional: column.isOptional)
        if column.assumesScale, case .decimal(_, let scale) = type {
            remark(
                .changed, column,
                "the type “\(column.declaredType)” has no number of fractional digits that an attribute can have; its attribute has \(scale)."
            )
        }
        if let comparison = column.looseComparison, type == .string {
            let collation = comparison.hasPrefix("COLLATE ") ? comparison : ""
            let words = [ForeignSpelling.quoted(column.name), column.declaredType, collation]
            remark(
                .changed, column,
                "in the database, texts that differ may be equal (\(comparison)); in the store, only the same text is.",
                words.filter { !$0.isEmpty }.joined(separator: " "))
        }
        for rule in conditions.rules(of: column.name) { add(rule, to: &attribute, of: column) }
        addDefault(of: column, to: &attribute)
        return attribute
    }

    private mutating func remark(
        _ kind: ImportRemark.Kind, _ column: TableStructure.Column, _ text: String, _ statement: String? = nil
    ) {
        remarks.append(
            ImportRemark(
                kind: kind, subject: table.qualifiedName(column.name), text: text, statement: statement))
    }

    private mutating func add(
        _ rule: TableConditions.Rule, to attribute: inout AttributeDescription,
        of column: TableStructure.Column
    ) {
        let statement = rule.check.statement
        if facts.violatedRules[table.structure.name]?.contains(rule.rule) == true {
            remark(.omitted, column, "the condition is not imported, because rows violate it.", statement)
        } else if !rule.rule.rule.add(to: &attribute) {
            remark(
                .omitted, column, "the condition is not imported, because no rule expresses it.", statement)
        } else if rule.rule.isWeaker {
            remark(
                .changed, column,
                "the rule has inclusive bounds, and allows values that the condition denies.",
                statement)
        }
    }

    private mutating func addDefault(
        of column: TableStructure.Column, to attribute: inout AttributeDescription
    ) {
        if let expression = column.generationExpression {
            return remark(
                .changed, column, "its values are imported, but not the expression that computes them.",
                "GENERATED ALWAYS AS (\(expression))")
        }
        guard let text = column.defaultExpression else {
            if !column.isFilled { return }
            return remark(
                .omitted, column, "its default, or its expression, is not taken over; its values are.")
        }
        switch ColumnDefault(text, of: column, for: attribute) {
        case ColumnDefault.none?: break
        case .value(let value)?: attribute.defaultValue = value
        case .today?:
            attribute.defaultValue = .now
            remark(
                .changed, column, "its default is the current day, and becomes the current time.",
                "DEFAULT \(text)")
        case nil:
            remark(
                .omitted, column, "its default is not taken over; its values are.",
                text.hasSuffix("AS IDENTITY") ? text : "DEFAULT \(text)")
        }
    }
}
