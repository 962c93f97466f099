import ContextCore
import Foundation

/// Migrates the stores of tenants.
struct FleetMigrateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "migrate"], abstract: "Migrates the stores of tenants, some at a time.",
        discussion: """
            For each tenant it does what 'migrate apply' does: what was begun is finished first, and then the store goes on to
            the last version or that of --to. The last phase, in which what is no longer needed goes, is left where older
            programs can go on working; --phase contract does it too. A tenant that fails keeps no other from being migrated,
            unless --fail-fast is given; it exits with 2 then, and names those that failed.
            When it was stopped, by SIGINT, SIGTERM or a kill, the same command goes on: stores that are up to date are only
            looked at, and a store whose migration was begun goes on with that. A production store asks for --confirm with the
            name that all tenants share.
            """,
        options: [
            .option("to", nil, "VERSION", "The version at which the stores end; the last unless given."),
            .option(
                "phase", nil, "PHASE", "The last phase that is run; validate unless given.",
                choices: MigrationPhase.allCases.map(\.rawValue)),
            .flag("dry-run", nil, "Says what would be done to each store, and changes nothing."),
        ] + HintOptions.options + running + [BackupFolder.option] + FleetRun.options,
        examples: [
            .init(
                words: "fleet migrate -s prod --dry-run", help: "What would be done, and what would be lost."),
            .init(
                words: "fleet migrate -s prod --jobs 8 --confirm prod", help: "All; once more after a stop."),
        ], takesTenant: false, forms: [.json, .jsonl, .csv, .md],
        exits: ExitCode.ofFleets.union([.refused, .badData]).union(ExitCode.ofStopping))

    /// The options of 'migrate apply'; a backup in a file that is named would be that of one store.
    private static let running = MigrationCall.running.map { option in
        guard option == MigrationBackups.option else { return option }
        return OptionDeclaration.option(
            "backup", nil, "WHETHER",
            "auto or none. auto, which holds unless given, backs up the stores that lose something.",
            choices: ["auto", "none"])
    }

    private static let columns: [RowSet.Column] = [
        .init("transitions"), .init("steps", isRight: true), .init("pending"), .init("losses"),
        .init("backups"),
    ]

    func run(_ call: CommandCall) throws -> Report {
        let isDry = call.arguments.has("dry-run")
        let plan = FleetRun.Plan(
            schema: "fleet.migrate",
            words: [
                .done: isDry ? "to be migrated" : "migrated", .skipped: "up to date",
                .attention: "to be decided",
            ], columns: Self.columns, isTimed: !isDry)
        let history = ModelHistory(call)
        let versions = try history.versions()
        try MigrationCall.checkOptions(call, versions)
        let run = try FleetRun(call, plan)
        if versions.infersFirst { history.tellOfInference() }
        if !isDry { try confirm(call, run) }
        return try run.run { [isProduction = run.store.isProduction] call in
            var call = call
            let store = try call.store()
            call.arguments.note(flag: "yes")
            // The run as a whole is confirmed by the shared name. A store with a production entry of its own is not, and refuses.
            if isProduction, store.tenant?.isProductionByItself == false {
                call.arguments.note(Confirmation.option.name, store.confirmation)
            }
            let document = JSONValue.object(try MigrateApplyCommand().run(call).json)
            let isPending = document["pending"] == .bool(true)
            // Whatever is wrong with this look, the store is migrated.
            let run = isDry || isPending ? try? store.backend.migrationState(of: store.url).run : nil
            if isDry {
                let phase = call.arguments["phase"].flatMap(MigrationPhase.init) ?? .validate
                return Self.planned(document, isWaiting: run?.waits(after: phase) == true)
            }
            return Self.migrated(document, waiting: run?.transition)
        }
    }

    /// Asks once for all tenants.
    private func confirm(_ call: CommandCall, _ run: FleetRun) throws {
        try Confirmation.check(call, run.store)
        let input = call.tool.input
        guard input.isTerminal, !call.arguments.has("yes") else { return }
        let tenants = Quantity.of(run.tenants.count, "tenant", "tenants")
        call.output.message(
            "Migrate \(tenants) of \(run.store.title)? --dry-run shows what that does. [y/N] ")
        if ["y", "yes"].contains(input.next()?.trimmingSpaces.lowercased() ?? "") { return }
        throw AdminError.refused(
            "nothing was changed.", hint: "Look at --dry-run, and add --yes to go ahead without being asked.")
    }

    /// - Parameter isWaiting: Whether a migration was begun of which only the last phase is left, which isn't asked for.
    private static func planned(_ plan: JSONValue, isWaiting: Bool) -> TenantResult {
        let steps = plan["steps"].elements ?? []
        var transitions: [String] = []
        for name in steps.compactMap(\.["transition"].stringValue) where transitions.last != name {
            transitions.append(name)
        }
        let (losses, undecided) = (plan["losses"].stringValues ?? [], plan["undecided"].stringValues ?? [])
        if isWaiting {
            return TenantResult(
                .skipped, "up to date; the last phase waits for --phase contract",
                cells: Self.cells([], steps: 0, isPending: true, losses: losses, backups: []))
        }
        let cells = cells(transitions, steps: steps.count, isPending: false, losses: losses, backups: [])
        if steps.isEmpty { return TenantResult(.skipped, "up to date", cells: cells) }
        var text = "\(way(transitions)), \(Quantity.of(steps.count, "step", "steps"))"
        if !losses.isEmpty { text += "; loses \(losses.joined(separator: ", "))" }
        if !undecided.isEmpty { text += "; \(undecided.joined(separator: " "))" }
        return TenantResult(
            undecided.isEmpty ? .done : .attention, text, cells: cells,
            details: steps.compactMap(\.["sentence"].stringValue))
    }

    /// - Parameter waiting: The transition that is done but for its last phase; nil where none is.
    private static func migrated(_ outcome: JSONValue, waiting: String?) -> TenantResult {
        let (transitions, steps) = (outcome["transitions"].stringValues ?? [], outcome["steps"].intValue ?? 0)
        let isPending = outcome["pending"] == .bool(true)
        let backups = outcome["backups"].stringValues ?? []
        let cells = cells(transitions, steps: steps, isPending: isPending, losses: [], backups: backups)
        let early = (outcome["left"].stringValues ?? []).filter { $0 != MigrationPhase.contract.rawValue }
        let waits =
            if !isPending {
                ""
            } else if early.isEmpty {
                "; the last phase waits for --phase contract"
            } else {
                "; \(early.joined(separator: " and ")) \(early.count == 1 ? "waits" : "wait") for --phase validate, the last phase for --phase contract"
            }
        let details = (outcome["notes"].stringValues ?? []) + backups.map { "backed up to \($0)" }
        if steps == 0 {
            let state = early.isEmpty ? "up to date" : "begun"
            return TenantResult(.skipped, state + waits, cells: cells, details: details)
        }
        let names = transitions + [waiting].compactMap(\.self)
        let made = names.isEmpty ? Quantity.of(steps, "step", "steps") : way(names)
        return TenantResult(.done, made + waits, cells: cells, details: details)
    }

    private static func cells(
        _ transitions: [String], steps: Int, isPending: Bool, losses: [String], backups: [String]
    ) -> [RowSet.Cell] {
        [.list(transitions), .count(steps), .flag(isPending), .list(losses), .list(backups)]
    }

    /// From where to where transitions lead: `V1 → V3` for `V1-V2` and `V2-V3`.
    private static func way(_ transitions: [String]) -> String {
        let names = transitions.map { $0.split(separator: "-") }
        guard let first = names.first, let last = names.last, names.allSatisfy({ $0.count == 2 }) else {
            return transitions.joined(separator: ", ")
        }
        return "\(first[0]) → \(last[1])"
    }
}
