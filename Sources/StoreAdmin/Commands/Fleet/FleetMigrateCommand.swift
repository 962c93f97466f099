import ContextCore
import Foundation

/// Migrates the stores of tenants.
struct FleetMigrateCommand: Command {
    let declaration = CommandDeclaration(
        words: ["fleet", "migrate"], abstract: "Migrates the stores of tenants, several in parallel.",
        discussion: """
            For each tenant the command runs 'migrate apply': it finishes an unfinished migration first, and then migrates to
            the last version or that of --to. The contract phase, which drops what the newer version doesn't need, waits if
            programs of the older version can still work; --phase contract runs it too. If a tenant fails, the command
            migrates the others, unless --fail-fast is given, and exits with 2 and the names of the tenants that failed.
            After a stop by SIGINT, SIGTERM or a kill, the same command continues: it skips stores that are up to date, and
            resumes unfinished migrations. A production store requires --confirm with the name of the shared store.
            """,
        options: [
            .option("to", nil, "VERSION", "The version to migrate to. The default is the last one."),
            .option(
                "phase", nil, "PHASE", "The last phase to run. The default is validate.",
                choices: MigrationPhase.allCases.map(\.rawValue)),
            .flag("dry-run", nil, "Prints the plan for each store, and changes nothing."),
        ] + HintOptions.options + runOptions + [BackupFolder.option] + FleetRun.options,
        examples: [
            .init(
                words: "fleet migrate -s prod --dry-run", help: "The plans and their losses."),
            .init(
                words: "fleet migrate -s prod --jobs 8 --confirm prod", help: "All; again after a stop."),
        ], takesTenant: false, formats: [.json, .jsonl, .csv, .md],
        exitCodes: ExitCode.fleetCommands.union([.refused, .badData]).union(ExitCode.stoppableCommands))

    /// The options of 'migrate apply', except that `--backup` takes no path, which would be the same for all stores.
    private static let runOptions = MigrationCall.runOptions.map { option in
        guard option == MigrationBackups.option else { return option }
        return OptionDeclaration.option(
            "backup", nil, "WHETHER",
            "auto or none. The default auto makes a backup of the stores that lose data.",
            choices: ["auto", "none"])
    }

    private static let columns: [RowSet.Column] = [
        .init("transitions"), .init("steps", isRightAligned: true), .init("pending"), .init("losses"),
        .init("backups"),
    ]

    func run(_ call: CommandCall) throws -> Report {
        let isDry = call.arguments.has("dry-run")
        let plan = FleetRun.Plan(
            schema: "fleet.migrate",
            words: [
                .done: isDry ? "to be migrated" : "migrated", .skipped: "up to date",
                .attention: "needing a decision",
            ], columns: Self.columns, showsDuration: !isDry)
        let history = ModelHistory(call)
        let versions = try history.versions()
        try MigrationCall.checkOptions(call, versions)
        let run = try FleetRun(call, plan)
        if versions.infersFirst { history.printInferenceNotice() }
        if !isDry { try confirm(call, run) }
        return try run.run { [isProduction = run.store.isProduction] call in
            var call = call
            let store = try call.store()
            call.arguments.insert(flag: "yes")
            // --confirm with the shared name confirms the run. A store that has its own production entry needs its own confirmation.
            if isProduction, store.tenant?.hasOwnProductionEntry == false {
                call.arguments.append(Confirmation.option.name, store.confirmation)
            }
            let document = JSONValue.object(try MigrateApplyCommand().run(call).json)
            let isPending = document["pending"] == .bool(true)
            // The store is migrated already, so an error of this look-up is ignored.
            let run = isDry || isPending ? try? store.backend.migrationState(of: store.url).run : nil
            if isDry {
                let phase = call.arguments["phase"].flatMap(MigrationPhase.init) ?? .validate
                return Self.planned(document, isWaiting: run?.waits(after: phase) == true)
            }
            return Self.migrated(document, waiting: run?.transition)
        }
    }

    /// Asks the user once for all tenants.
    private func confirm(_ call: CommandCall, _ run: FleetRun) throws {
        try Confirmation.check(call, run.store)
        let input = call.tool.input
        guard input.isTerminal, !call.arguments.has("yes") else { return }
        let tenants = Quantity.text(run.tenants.count, "tenant", "tenants")
        call.output.message(
            "Migrate \(tenants) of \(run.store.title)? --dry-run shows the plans. [y/N] ")
        if ["y", "yes"].contains(input.next()?.trimmingSpaces.lowercased() ?? "") { return }
        throw AdminError.refused(
            "the migration was not confirmed: nothing was changed.",
            hint: "Review the plans with --dry-run, and add --yes to skip the question.")
    }

    /// Returns the result of a dry run.
    ///
    /// - Parameter isWaiting: Whether an unfinished migration waits for phases that the call doesn't run.
    private static func planned(_ plan: JSONValue, isWaiting: Bool) -> TenantResult {
        let steps = plan["steps"].elements ?? []
        var transitions: [String] = []
        for name in steps.compactMap(\.["transition"].stringValue) where transitions.last != name {
            transitions.append(name)
        }
        let (losses, undecided) = (plan["losses"].stringValues ?? [], plan["undecided"].stringValues ?? [])
        if isWaiting {
            return TenantResult(
                .skipped, "up to date; the contract phase waits for --phase contract",
                cells: Self.cells([], steps: 0, isPending: true, losses: losses, backups: []))
        }
        let cells = cells(transitions, steps: steps.count, isPending: false, losses: losses, backups: [])
        if steps.isEmpty { return TenantResult(.skipped, "up to date", cells: cells) }
        var text = "\(versions(transitions)), \(Quantity.text(steps.count, "step", "steps"))"
        if !losses.isEmpty { text += "; loses \(losses.joined(separator: ", "))" }
        if !undecided.isEmpty { text += "; \(undecided.joined(separator: " "))" }
        return TenantResult(
            undecided.isEmpty ? .done : .attention, text, cells: cells,
            details: steps.compactMap(\.["sentence"].stringValue))
    }

    /// Returns the result of a migration.
    ///
    /// - Parameter waiting: The transition whose remaining phases wait; nil if there is none.
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
                "; the contract phase waits for --phase contract"
            } else {
                "; \(early.joined(separator: " and ")) \(early.count == 1 ? "waits" : "wait") for --phase validate, the contract phase for --phase contract"
            }
        let details = (outcome["notes"].stringValues ?? []) + backups.map { "backed up to \($0)" }
        if steps == 0 {
            let state = early.isEmpty ? "up to date" : "started"
            return TenantResult(.skipped, state + waits, cells: cells, details: details)
        }
        let names = transitions + [waiting].compactMap(\.self)
        let summary = names.isEmpty ? Quantity.text(steps, "step", "steps") : versions(names)
        return TenantResult(.done, summary + waits, cells: cells, details: details)
    }

    private static func cells(
        _ transitions: [String], steps: Int, isPending: Bool, losses: [String], backups: [String]
    ) -> [RowSet.Cell] {
        [.list(transitions), .count(steps), .flag(isPending), .list(losses), .list(backups)]
    }

    /// Returns the first and the last version of consecutive transitions: `V1 → V3` for `V1-V2` and `V2-V3`.
    private static func versions(_ transitions: [String]) -> String {
        let names = transitions.map { $0.split(separator: "-") }
        guard let first = names.first, let last = names.last, names.allSatisfy({ $0.count == 2 }) else {
            return transitions.joined(separator: ", ")
        }
        return "\(first[0]) → \(last[1])"
    }
}
