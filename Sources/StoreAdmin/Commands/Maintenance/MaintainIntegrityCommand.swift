import ContextCore

/// Looks for damage in a database's own structures.
struct MaintainIntegrityCommand: Command {
    let declaration = CommandDeclaration(
        words: ["maintain", "integrity"], abstract: "Looks for damage in the database's own structures.",
        discussion: """
            It reads everything, works on any database, and exits with 2 when it finds anything. 'check' looks at the
            objects too.
            """,
        examples: [
            .init(words: "maintain integrity", help: "After a disk was full, or a machine lost its power.")
        ],
        forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let damage = try call.store().damage(call.output)
        var rows = RowSet([.init("finding")], emptyText: "sound")
        for finding in damage { rows.append([.string(finding)]) }
        var report = Report("maintain.integrity", rows: rows)
        if !damage.isEmpty { report.exit = .differences }
        return report
    }
}
