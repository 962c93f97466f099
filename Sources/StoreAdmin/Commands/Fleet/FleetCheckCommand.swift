import ContextCore

/// Checks the stores of tenants.
struct FleetCheckCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "check"],
        abstract: "Finds damage, and objects that violate the model, in the stores of tenants.",
        discussion: """
            For each tenant the command runs 'check', and prints one line with the number of findings of each kind. --verbose
            prints each finding below it; JSON documents contain all of them. The command exits with 2 if there is a finding,
            or if a store can't be read. It changes nothing. After an interruption, continue with --from.
            """,
        options: [
            .option("kinds", nil, "KINDS", "Only these kinds of findings, separated by commas."),
            .option("limit", "n", "N", "Stops after N findings of a tenant. The default is 100."),
        ] + FleetRun.options,
        examples: [
            .init(words: "fleet check -s prod", help: "All kinds of findings."),
            .init(
                words: "fleet check -s prod --kinds orphans,unique --verbose",
                help: "Two kinds, with each finding."),
        ], takesTenant: false, formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.fleetCommands.union(ExitCode.stoppableCommands))

    func run(_ call: CommandCall) throws -> Report {
        let plan = FleetRun.Plan(
            schema: "fleet.check", words: [.done: "without findings", .attention: "with findings"],
            columns: [.init("findings")])
        let check = CheckCommand()
        let kinds = try call.arguments.list("kinds")
        _ = try check.kinds(kinds)
        return try FleetRun(call, plan).run { call in
            var call = call
            if let kinds { call.arguments.append("only", kinds.joined(separator: ",")) }
            return Self.result(try check.run(call).rows?.documents ?? [])
        }
    }

    private static func result(_ findings: [JSONValue]) -> TenantResult {
        let cells = [RowSet.Cell(text: Quantity.count(findings.count), json: .array(findings))]
        if findings.isEmpty { return TenantResult(.done, "no findings", cells: cells) }
        let kinds = findings.compactMap(\.["kind"].stringValue)
        let counts = StoreFinding.Kind.allCases.map(\.rawValue).compactMap { kind in
            let count = kinds.count { $0 == kind }
            return count == 0 ? nil : "\(Quantity.count(count)) \(kind)"
        }
        return TenantResult(
            .attention,
            "\(Quantity.text(findings.count, "finding", "findings")): \(counts.joined(separator: ", "))",
            cells: cells,
            details: findings.map { finding in
                ["kind", "object", "property", "finding"].compactMap { finding[$0].stringValue }
                    .joined(separator: " ")
            })
    }
}
