import ContextCore

/// The sections that consist of findings: those of the check, of the examination, and of the tables.
enum FindingSections {
    static func check(
        of store: AdministeredStore, _ output: Output, isQuick: Bool
    ) throws -> ReportSection.Contents {
        if isQuick {
            return ReportSection.Contents(
                markup: "<p>The objects weren't checked, because of --quick.</p>\n", result: "not checked")
        }
        let limit = CheckCommand.defaultLimit
        let findings = try CheckCommand.findings(in: store, output, limit: limit)
        let remark: Markup =
            findings.count < limit ? "" : "<p>The check stopped after \(limit) findings.</p>\n"
        let table = MarkupTable(
            caption: "Damage, and objects that violate the model", rows: CheckCommand.rows(findings))
        return ReportSection.Contents(
            markup: "\(table.markup)\(remark)", findingCount: findings.count,
            result: result(findings.count, "no problems found"))
    }

    /// Returns the steps of the examination that need attention.
    ///
    /// The others are only named, because free space, clocks and connections differ from one report to the next.
    static func advice(
        on store: AdministeredStore, _ model: ObjectModel, _ call: CommandCall
    ) throws -> ReportSection.Contents {
        var examination = Examination()
        try examination.examineEnvironment(of: store)
        examination.examineLeftovers(of: store, call)
        examination.examineApplication(model, call.tool)
        examination.examineUserObjects(of: store)
        var rows = RowSet(
            [.init("subject"), .init("finding"), .init("remedy")], emptyText: "nothing needs attention")
        for step in examination.steps where !step.isFine {
            rows.append([.string(step.name), .string(step.message), .string(step.remedy)])
        }
        let fine = examination.steps.filter(\.isFine).map(\.name).joined(separator: ", ")
        let remark: Markup = fine.isEmpty ? "" : "<p class=\"remark\">Without a problem: \(fine).</p>\n"
        return ReportSection.Contents(
            markup: "\(MarkupTable(caption: "Findings about the environment", rows: rows).markup)\(remark)",
            findingCount: rows.rows.count, result: result(rows.rows.count, "nothing needs attention"))
    }

    static func drift(
        of store: AdministeredStore, _ output: Output, isMigrating: Bool
    ) throws -> ReportSection.Contents {
        if isMigrating {
            return ReportSection.Contents(
                markup: "<p>The tables weren't compared, because a migration is unfinished.</p>\n",
                result: "not compared")
        }
        let drift = try TableDrift(of: store, output)
        let differences = table(
            "Differences between the tables and the model", "difference", drift.differences)
        let userObjects = table("User-defined objects on the tables", "object", drift.userObjects)
        return ReportSection.Contents(
            markup: "\(differences)\(userObjects)", findingCount: drift.differences.count,
            result: drift.differences.isEmpty
                ? "the tables match the model"
                : Quantity.text(drift.differences.count, "difference", "differences"))
    }

    private static func table(_ caption: String, _ column: String, _ sentences: [String]) -> Markup {
        var rows = RowSet([.init(column)])
        for sentence in sentences { rows.append([.string(sentence)]) }
        return MarkupTable(caption: caption, rows: rows).markup
    }

    private static func result(_ count: Int, _ none: String) -> String {
        count == 0 ? none : Quantity.text(count, "finding", "findings")
    }
}
