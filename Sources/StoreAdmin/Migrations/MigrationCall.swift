import ContextCore
import Foundation
import Synchronization

/// What the commands that migrate a store have in common.
struct MigrationCall {
    static let running: [OptionDeclaration] = [
        ModelHistory.option,
        .option("accept-loss", nil, "A,B", "What may be lost, by name: Game, Game.title."),
        .option(
            "lock-wait", nil, "TIME",
            "How long another who migrates the store is waited for; 60s unless given."),
        .option(
            "lock-timeout", nil, "TIME",
            "How long a step waits for those who use the tables; 500ms unless given."),
        .option(
            "retries", nil, "N", "How often a step is tried that others get in the way of; 10 unless given."),
        .option(
            "backup", nil, "WHERE",
            "auto, none, or a new file. auto, which holds unless given, makes one where something is lost."),
        .flag("yes", nil, "Doesn't ask, on a terminal."),
        Confirmation.option,
    ]

    let call: CommandCall
    let store: AdministeredStore
    let versions: ModelVersions

    init(_ call: CommandCall) throws {
        self.call = call
        store = try call.store()
        versions = try ModelHistory(call).versions()
    }

    /// What would be done.
    func plan(to version: String?) throws -> MigrationPlan {
        try store.backend.migrationPlan(of: store.url, to: versions, version: version)
    }

    func state() throws -> MigrationState {
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        return try migrator.state()
    }

    /// Finishes what was begun, and that alone, all phases of it.
    func finishRun() throws -> Report {
        try confirm(nil)
        let run = try state().run
        let version = versions.versions.first { $0.model.fingerprint == run?.fingerprint }
        return try self.run(nil, to: version?.name, through: .contract)
    }

    /// Finishes what was begun, runs a plan, and tells how far it is.
    ///
    /// - Parameters:
    ///   - plan: What would be done; nil where that can't be told before what was begun is finished.
    ///   - sealed: The digest of the plan that was reviewed, where there is one.
    func run(
        _ plan: MigrationPlan?, to version: String?, through phase: MigrationPhase, sealed: String? = nil
    ) throws -> Report {
        var options = MigrationOptions()
        options.version = version
        options.lastPhase = phase
        // What is run is what was looked at; a run that was begun before has its own plan.
        let state = try state()
        options.digest = sealed ?? (state.run == nil ? plan?.digest : nil)
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        options.patience = try call.arguments.duration("lock-wait") ?? options.patience
        options.lockTimeout = try call.arguments.duration("lock-timeout") ?? options.lockTimeout
        options.attempts = try call.arguments.positiveCount("retries") ?? options.attempts
        let backup = mayLose(plan, state) ? try backUp(state) : nil
        let output = call.output
        options.progress = { progress in
            output.note(
                "\(progress.transition), step \(progress.step) of \(progress.steps): \(progress.sentence)")
        }
        let outcome = try store.backend.migrate(store.url, to: versions, options)
        return report(outcome, backup: backup)
    }

    /// What is left of a migration that was begun, a line a step.
    private func begun() throws -> String {
        guard let run = try state().run else { return "" }
        return run.steps.dropFirst(run.done).map { "\(run.transition): \($0.sentence)\n" }.joined()
    }

    /// Asks a person at a terminal, and for the name of a store of production.
    func confirm(_ plan: MigrationPlan?) throws {
        try Confirmation.check(call, store)
        let input = call.tool.input
        guard input.isTerminal, !call.arguments.has("yes") else { return }
        let text = try plan.map { $0.isEmpty ? "" : $0.text(sql: false) } ?? begun()
        if text.isEmpty { return }
        call.output.message(text + "Do this to \(store.title)? [y/N] ")
        guard ["y", "yes"].contains(input.next()?.trimmingSpaces.lowercased() ?? "") else {
            throw AdminError.refused(
                "nothing was changed.", hint: "Add --yes to go ahead without being asked.")
        }
    }

    // MARK: Backups

    /// `auto`, `none`, or a new file.
    private var wantedBackup: String { call.arguments["backup"] ?? "auto" }

    /// Whether anything is lost, so that a backup is made unless somebody says otherwise; or whether somebody wants one.
    private func mayLose(_ plan: MigrationPlan?, _ state: MigrationState) -> Bool {
        // While a migration keeps everybody out, there is nothing whole to be copied; that was done before it began.
        let isShared = state.run.map { $0.fingerprint == state.models.last?.fingerprint } ?? false
        switch wantedBackup {
        case "none": return false
        case "auto":
            return plan?.losses.isEmpty == false || isShared && state.run.map(loses) == true
        default: return plan?.isEmpty == false || isShared
        }
    }

    /// Whether what was begun loses anything; it may, where its versions aren't known here.
    private func loses(_ run: MigrationState.Run) -> Bool {
        for (old, new) in zip(versions.versions, versions.versions.dropFirst()) {
            let transition = try? ModelTransition(from: old, to: new)
            if let transition, transition.name == run.transition { return !transition.losses.isEmpty }
        }
        return true
    }

    /// Makes a backup, and answers where it is.
    private func backUp(_ state: MigrationState) throws -> String {
        let folder = BackupFolder(call)
        if wantedBackup == "auto" { try folder.make() }
        let path =
            wantedBackup == "auto"
            ? folder.newPath(for: store, CivilTime(date: Date()).text)
            : call.tool.surroundings.resolved(wantedBackup)
        call.output.note("backing up to \(path)")
        // The newer model of a run that was begun doesn't know what is going to be lost.
        let older = try state.run == nil ? nil : state.models.dropLast().last?.model()
        _ = try BackupMaking(
            store: store, backend: call.tool.fileBackend(), path: path, output: call.output, model: older
        ).make()
        return path
    }

    private func report(_ outcome: MigrationOutcome, backup: String?) -> Report {
        let json: [String: JSONValue] = [
            "store": store.json, "transitions": .array(outcome.transitions.map(JSONValue.string)),
            "steps": .int(outcome.steps), "pending": .bool(outcome.isPending),
            "notes": .array(outcome.notes.map(JSONValue.string)),
            "backup": backup.map(JSONValue.string) ?? .null,
        ]
        return Report("migrate.apply", json) { _ in
            var lines = outcome.notes
            if outcome.isPending {
                lines.append(
                    "\(Quantity.of(outcome.steps, "step", "steps")) done; the last phase waits for 'storectl migrate complete'."
                )
            } else if outcome.steps == 0 {
                lines.append("There was nothing to do.")
            } else {
                lines.append(
                    "\(outcome.transitions.joined(separator: ", ")): \(Quantity.of(outcome.steps, "step", "steps")) done."
                )
            }
            return lines.map { $0 + "\n" }.joined()
        }
    }
}
