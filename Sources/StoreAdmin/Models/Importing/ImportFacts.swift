import ContextCore

/// What the rows of a database show about the model of its tables, and their structure doesn't.
struct ImportFacts {
    /// The tables whose integer primary keys can't be the keys of objects.
    private(set) var replacedKeys: Set<String> = []
    /// The rules that rows violate, by table: a database need not enforce its conditions.
    private(set) var violatedRules: [String: Set<ConditionRule>] = [:]

    /// Assumes nothing about the rows.
    init() {}

    /// Examines the rows of a database.
    ///
    /// - Parameter structures: The tables, with the types that their attributes get.
    init(_ structures: [TableStructure], _ reader: any ForeignTableReader) throws {
        for structure in structures where structure.hasRows {
            if try TableKeys.replacesIntegerKey(structure, reader) { replacedKeys.insert(structure.name) }
            for rule in TableConditions(structure).rules where !rule.check.isEnforced {
                if try Self.isViolated(rule.rule, structure, reader) {
                    violatedRules[structure.name, default: []].insert(rule.rule)
                }
            }
        }
    }

    private static func isViolated(
        _ rule: ConditionRule, _ structure: TableStructure, _ reader: any ForeignTableReader
    ) throws -> Bool {
        let spelling = reader.spelling
        let column = ForeignSpelling.quoted(rule.column)
        let condition = rule.rule.violation(of: column, spelling)
        let query = "SELECT 1 FROM \(spelling.table(structure)) WHERE \(condition) LIMIT 1"
        let found = try reader.rows(query)
        return !found.isEmpty
    }
}
