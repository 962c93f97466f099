import ContextCore

/// Looks the stores of tenants over.
struct FleetCheckCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "check"],
        abstract: "Looks for damage, and for objects that break the model, in the stores of tenants.",
        discussion: """
            For each tenant it does what 'check' does, and says in a line how many findings there are of which kind; --verbose
            has each beneath it, and so have documents. It exits with 2 when there is a finding, and when a store can't be
            read. It changes nothing. After an interruption, go on with --from.
            """,
        options: [
            .option("kinds", nil, "KINDS", "Only these kinds of findings, with commas between them."),
            .option("limit", "n", "N", "How many findings of a tenant are enough; 100 unless given."),
        ] + FleetRun.options,
        examples: [
            .init(words: "fleet check -s prod", help: "Everything."),
            .init(
                words: "fleet check -s prod --kinds orphans,unique --verbose",
                help: "Two kinds, with each finding."),
        ], takesTenant: false, forms: [.json, .jsonl, .csv, .md],
        exits: ExitCode.ofFleets.union(ExitCode.ofStopping))

    func run(_ call: CommandCall) throws -> Report {
        let plan = FleetRun.Plan(
            schema: "fleet.check", words: [.done: "sound", .attention: "with findings"],
            columns: [.init("findings")])
        let check = CheckCommand()
        let kinds = try call.arguments.list("kinds")
        _ = try check.kinds(kinds)
        return try FleetRun(call, plan).run { call in
            var call = call
            if let kinds { call.arguments.note("only", kinds.joined(separator: ",")) }
            return Self.result(try check.run(call).rows?.documents ?? [])
        }
    }

    private static func result(_ findings: [JSONValue]) -> TenantResult {
        let cells = [RowSet.Cell(text: Quantity.count(findings.count), json: .array(findings))]
        if findings.isEmpty { return TenantResult(.done, "sound", cells: cells) }
        let kinds = findings.compactMap(\.["kind"].stringValue)
        let counts = StoreFinding.Kind.allCases.map(\.rawValue).compactMap { kind in
            let count = kinds.count { $0 == kind }
            return count == 0 ? nil : "\(Quantity.count(count)) \(kind)"
        }
        return TenantResult(
            .attention,
            "\(Quantity.of(findings.count, "finding", "findings")): \(counts.joined(separator: ", "))",
            cells: cells,
            details: findings.map { finding in
                ["kind", "object", "property", "finding"].compactMap { finding[$0].stringValue }
                    .joined(separator: " ")
            })
    }
}
