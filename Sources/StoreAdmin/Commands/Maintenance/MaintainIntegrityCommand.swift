import ContextCore

/// Finds damage in a database's own structures.
struct MaintainIntegrityCommand: Command {
    let declaration = CommandDeclaration(
        words: ["maintain", "integrity"], abstract: "Finds damage in the database's own structures.",
        discussion: """
            It reads the whole database, works on any database, and exits with 2 if it finds damage. 'check' also checks the
            objects.
            """,
        examples: [
            .init(words: "maintain integrity", help: "After a full disk or a power failure.")
        ],
        formats: [.json, .jsonl, .csv, .md], exitCodes: ExitCode.storeCommands.union([.differences]))

    func run(_ call: CommandCall) throws -> Report {
        let damage = try call.store().damage(call.output)
        var rows = RowSet([.init("finding")], emptyText: "no damage found")
        for finding in damage { rows.append([.string(finding)]) }
        var report = Report("maintain.integrity", rows: rows)
        if !damage.isEmpty { report.exit = .differences }
        return report
    }
}
