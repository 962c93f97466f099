import ContextCore

/// Finds damage and objects that violate the model in a store, and optionally repairs them.
struct CheckCommand: Command {
    let declaration = CommandDeclaration(
        words: ["check"],
        abstract: "Finds damage and objects that violate the model, and repairs some kinds of findings.",
        discussion: """
            Kinds of findings: damage (the database's own structures), orphans (references and links to missing objects or
            objects of a wrong entity), inverses (a relationship and its inverse disagree), required, types, rules, unique,
            counts, order (two objects at the same position), external (large values outside of their rows), derived
            (attributes that the store computes). The command exits with 2 if there are findings. With --repair it plans the
            repair of orphans, inverses, order, external and derived. It prints the plan and exits with 3, unless --yes, --plan
            with the digest of the reviewed plan, or the user at a terminal approves it. It then repairs the store and
            recomputes derived attributes in one transaction, and checks the store again. Make a backup before.
            """,
        options: [
            .option("only", nil, "KINDS", "Only these kinds, separated by commas."),
            .option("entity", nil, "A,B", "Only objects of these entities and their subentities."),
            .option("limit", "n", "N", "Stops after N findings. The default is 100."),
            .flag("repair", nil, "Plans a repair of the whole store, and runs it if it is approved."),
            .option("plan", nil, "DIGEST", "Approves the plan with this digest, and no other."),
            .flag("dry-run", nil, "Prints the plan of a repair, and changes nothing."),
            .flag("yes", nil, "Approves the repair."), Confirmation.option,
        ],
        examples: [
            .init(words: "check", help: "All kinds of findings."),
            .init(words: "check --only orphans,unique --entity Player", help: "Two kinds, for players."),
            .init(words: "check --repair", help: "The plan of a repair, and its digest."),
            .init(words: "check --repair --plan 0f3a9c5e7b1d2846", help: "Runs the reviewed plan."),
        ], formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.storeCommands.union([.differences, .refused]))

    /// The number of findings after which a check stops, if the command doesn't set another.
    static let defaultLimit = 100

    func run(_ call: CommandCall) throws -> Report {
        try Self.checkCombination(of: call.arguments)
        let store = try call.store()
        let kinds = try kinds(call.arguments.list("only"))
        if call.arguments.has("repair") {
            return try CheckRepair(call: call, store: store, kinds: kinds).run()
        }
        let limit = try call.arguments.positiveCount("limit") ?? Self.defaultLimit
        let findings = try Self.findings(
            in: store, call.output, kinds, entities: call.arguments.list("entity"), limit: limit)
        return report(findings)
    }

    /// Throws if the options can't be combined.
    private static func checkCombination(of arguments: ParsedArguments) throws {
        if arguments.has("repair") {
            // A repair may have to change both ends of a relationship.
            for name in ["entity", "limit"] where arguments[name] != nil {
                throw AdminError.usage(
                    "--repair repairs the whole store and can't be combined with --\(name).",
                    hint: "Omit one of them.")
            }
            return
        }
        for name in ["plan", "dry-run", "yes", "confirm"]
        where arguments[name] != nil || arguments.has(name) {
            throw AdminError.usage("--\(name) requires --repair.", hint: "Add --repair.")
        }
    }

    /// Returns the findings in a store, up to a limit.
    ///
    /// - Parameter entities: The names of the entities to check with their subentities; nil for all.
    static func findings(
        in store: AdministeredStore, _ output: Output,
        _ kinds: Set<StoreFinding.Kind> = Set(StoreFinding.Kind.allCases), entities: [String]? = nil,
        limit: Int
    ) throws -> [StoreFinding] {
        var findings: [StoreFinding] = []
        if kinds.contains(.damage) {
            findings = try store.damage(output).prefix(limit)
                .map { StoreFinding(kind: .damage, message: $0) }
        }
        do {
            findings += try objectFindings(store, output, kinds, entities, limit: limit - findings.count)
        } catch let error as StoreError where error.code == .corrupt && !findings.isEmpty {
            findings.append(
                StoreFinding(kind: .damage, message: "The objects can't be read. \(error.message)"))
        }
        return findings
    }

    private static func objectFindings(
        _ store: AdministeredStore, _ output: Output, _ kinds: Set<StoreFinding.Kind>, _ entities: [String]?,
        limit: Int
    ) throws -> [StoreFinding] {
        let model = try store.model()
        let entities = try model.families(entities)
        return try store.readAll("check", model: model) { session, model in
            let progress = ProgressLine(output)
            defer { progress.finish() }
            var checking = StoreChecker(
                session: session, model: model, kinds: kinds, limit: limit, progress: progress.report)
            try checking.check(entities)
            return checking.findings
        }
    }

    func kinds(_ names: [String]?) throws -> Set<StoreFinding.Kind> {
        guard let names else { return Set(StoreFinding.Kind.allCases) }
        return Set(
            try names.map { name in
                if let kind = StoreFinding.Kind(rawValue: name) { return kind }
                let known = StoreFinding.Kind.allCases.map(\.rawValue)
                let near = Spelling.nearest(to: name, among: known).map { "Did you mean \($0)?" }
                throw AdminError.usage(
                    "there is no kind of finding “\(name)”.",
                    hint: near ?? "The kinds are \(known.joined(separator: ", ")).")
            })
    }

    /// Returns findings as a table.
    static func rows(_ findings: [StoreFinding]) -> RowSet {
        var rows = RowSet(
            [.init("kind"), .init("object"), .init("property"), .init("finding")],
            emptyText: "no problems found")
        for finding in findings {
            rows.append([
                .string(finding.kind.rawValue), finding.object.map { .string($0) } ?? .none,
                finding.property.map { .string($0) } ?? .none, .string(finding.message),
            ])
        }
        if !findings.isEmpty { rows.footer = Quantity.text(findings.count, "finding", "findings") }
        return rows
    }

    private func report(_ findings: [StoreFinding]) -> Report {
        var report = Report("check", rows: Self.rows(findings))
        if !findings.isEmpty { report.exit = .differences }
        return report
    }
}
