import ContextCore

/// Makes the remarks about the parts of a database that have no place in a model.
enum ExtraRemarks {
    /// Returns the remarks about conditions that no rule of an attribute expresses.
    static func ofConditions(_ conditions: TableConditions, _ table: ImportedTable) -> [ImportRemark] {
        let unknown = conditions.others.map {
            omitted(
                subject($0, table.structure),
                $0.isOfElements
                    ? "no rule of an attribute restricts the elements of an array."
                    : "no rule of an attribute expresses the condition.", $0.statement)
        }
        let partial = conditions.partial.map {
            ImportRemark(
                kind: .changed, subject: subject($0, table.structure),
                text: "rules of attributes express only a part of the condition.", statement: $0.statement)
        }
        // A condition on a key or a reference.
        let lost = conditions.rules.filter { table.properties[$0.rule.column] == nil }.map {
            omitted(
                table.qualifiedName($0.rule.column),
                "only an attribute has rules, so the condition is not imported.",
                $0.check.statement)
        }
        return unknown + partial + lost
    }

    /// Returns the remarks about the conditions and indexes of a table that becomes links.
    static func ofLinks(_ table: TableStructure) -> [ImportRemark] {
        table.checks.map { omitted(subject($0, table), "links have no conditions.", $0.statement) }
            + table.indexes.map {
                omitted("\(table.name).\($0.name)", "links have indexes of their own.", $0.statement)
            }
    }

    /// Returns the remarks about triggers, constraints and comments of a table.
    static func ofTable(_ table: TableStructure) -> [ImportRemark] {
        let extras = table.extras.map { extra in
            omitted(
                "\(table.name).\(extra.name)",
                extra.kind == .trigger
                    ? "triggers are not imported." : "exclusion constraints are not imported.",
                extra.statement)
        }
        let tableComment = table.comment.map { ("TABLE", table.name, $0) }
        let comments = table.columns.compactMap { column in
            column.comment.map { ("COLUMN", "\(table.name).\(column.name)", $0) }
        }
        return extras
            + ([tableComment].compactMap { $0 } + comments).map { kind, name, comment in
                omitted(
                    name, "a model has no comments.",
                    "COMMENT ON \(kind) \(name) IS '\(comment.replacing("'", with: "''"))'")
            }
    }

    /// Returns the remark about a view, a virtual table or a foreign table; nil for an ordinary table.
    static func ofOther(_ structure: TableStructure) -> ImportRemark? {
        if structure.isVirtual {
            return omitted(structure.name, "virtual tables are not imported.", structure.definition)
        }
        if structure.isForeign {
            return omitted(
                structure.name, "foreign tables are not imported; import the database of their server.",
                structure.definition)
        }
        return structure.isView
            ? omitted(structure.name, "views are not imported.", structure.definition) : nil
    }

    /// Returns the remark about schemas that aren't read; nil if there are none.
    static func ofSchemas(_ names: [String]) -> ImportRemark? {
        if names.isEmpty { return nil }
        return omitted(
            "other schemas",
            "the tables of \(list(ofSchemas: names)) are not imported; name one with --schema.",
            nil)
    }

    /// Returns the first of the names of schemas, as a part of a sentence.
    static func list(ofSchemas names: [String]) -> String {
        let first = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(first) and \(Quantity.count(names.count - 20)) more" : first
    }

    private static func subject(_ check: TableStructure.Check, _ table: TableStructure) -> String {
        table.name + (check.column.map { ".\($0)" } ?? "")
    }

    private static func omitted(_ subject: String, _ text: String, _ statement: String?) -> ImportRemark {
        ImportRemark(kind: .omitted, subject: subject, text: text, statement: statement)
    }
}
