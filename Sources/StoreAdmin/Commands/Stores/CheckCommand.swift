import ContextCore

/// Looks a store over for damage and for objects that break its model.
struct CheckCommand: Command {
    let declaration = CommandDeclaration(
        words: ["check"],
        abstract: "Looks for damage, and for objects that break the model; repairs some of it if asked to.",
        discussion: """
            Kinds of findings: damage (the database's own structures), orphans (references and links to what isn't there, or
            is of another entity), inverses (two ends of a relationship that disagree), required, types, rules, unique,
            counts, order (two objects in one place), external (large values outside of their rows), derived (attributes that
            the store works out). It exits with 2 when it finds anything. With --repair it prints what it would do about orphans,
            inverses, order, external and derived, and changes nothing, with exit code 3, unless --yes, or --plan with the digest
            of what was reviewed, or a person at a terminal approves it. Then all of it is done in one transaction, with what
            derived attributes become by it, and the store is checked again. Make a backup before.
            """,
        options: [
            .option("only", nil, "KINDS", "Only these kinds, with commas between them."),
            .option("entity", nil, "A,B", "Only objects of these entities."),
            .option("limit", "n", "N", "How many findings are enough; 100 unless given."),
            .flag("repair", nil, "Plans a repair of the whole store, and makes it where it is approved."),
            .option("plan", nil, "DIGEST", "The digest of the plan that was reviewed; any other is refused."),
            .flag("dry-run", nil, "Prints the plan of a repair, and changes nothing."),
            .flag("yes", nil, "Repairs without asking."), Confirmation.option,
        ],
        examples: [
            .init(words: "check", help: "Everything."),
            .init(words: "check --only orphans,unique --entity Player", help: "Two questions about players."),
            .init(words: "check --repair", help: "What would be repaired, and its digest."),
            .init(words: "check --repair --plan 0f3a9c5e7b1d2846", help: "Does what was reviewed."),
        ], forms: [.json, .jsonl, .csv, .md], exits: ExitCode.ofStores.union([.differences, .refused]))

    func run(_ call: CommandCall) throws -> Report {
        try Self.refuseMixture(call.arguments)
        let store = try call.store()
        let kinds = try kinds(call.arguments.list("only"))
        if call.arguments.has("repair") {
            return try CheckRepair(call: call, store: store, kinds: kinds).run()
        }
        let limit = try call.arguments.positiveCount("limit") ?? 100
        var findings: [StoreFinding] = []
        if kinds.contains(.damage) {
            findings = try store.damage(call.output).prefix(limit)
                .map { StoreFinding(kind: .damage, message: $0) }
        }
        do {
            findings += try objectFindings(store, call, kinds, limit: limit - findings.count)
        } catch let error as StoreError where error.code == .corrupt && !findings.isEmpty {
            findings.append(
                StoreFinding(kind: .damage, message: "The objects can't be read. \(error.message)"))
        }
        return report(findings)
    }

    /// Refuses options that mean nothing together.
    private static func refuseMixture(_ arguments: ParsedArguments) throws {
        if arguments.has("repair") {
            // Both ends of a relationship may have to change.
            for name in ["entity", "limit"] where arguments[name] != nil {
                throw AdminError.usage(
                    "--repair is about the whole store, and --\(name) is not.", hint: "Leave one of them out."
                )
            }
            return
        }
        for name in ["plan", "dry-run", "yes", "confirm"]
        where arguments[name] != nil || arguments.has(name) {
            throw AdminError.usage("--\(name) is about a repair.", hint: "Add --repair.")
        }
    }

    private func objectFindings(
        _ store: AdministeredStore, _ call: CommandCall, _ kinds: Set<StoreFinding.Kind>, limit: Int
    ) throws -> [StoreFinding] {
        let model = try store.model()
        let entities = try model.families(call.arguments.list("entity"))
        return try store.read("check", model: model) { session, model in
            let progress = ProgressLine(call.output)
            defer { progress.finish() }
            var checking = StoreChecking(
                session: session, model: model, kinds: kinds, limit: limit, progress: progress.tell)
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
                    hint: near ?? "There are \(known.joined(separator: ", ")).")
            })
    }

    /// Findings as a table.
    static func rows(_ findings: [StoreFinding]) -> RowSet {
        var rows = RowSet(
            [.init("kind"), .init("object"), .init("property"), .init("finding")],
            emptyText: "everything is in order")
        for finding in findings {
            rows.append([
                .string(finding.kind.rawValue), finding.object.map { .string($0) } ?? .none,
                finding.property.map { .string($0) } ?? .none, .string(finding.message),
            ])
        }
        if !findings.isEmpty { rows.footer = Quantity.of(findings.count, "finding", "findings") }
        return rows
    }

    private func report(_ findings: [StoreFinding]) -> Report {
        var report = Report("check", rows: Self.rows(findings))
        if !findings.isEmpty { report.exit = .differences }
        return report
    }
}
