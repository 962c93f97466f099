import ContextCore
import Foundation

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

    /// What a call has done by and by.
    struct Done {
        var outcome = MigrationOutcome()
        var backups: [String] = []
    }

    /// Finishes what was begun, and that alone.
    ///
    /// - Parameters:
    ///   - version: The version at which the store is to end; nil for the last.
    ///   - sealed: The digest of the plan that was reviewed, where there is one.
    func finishRun(
        to version: String?, through phase: MigrationPhase, sealed: String? = nil, _ done: inout Done
    ) throws {
        try confirm(nil)
        var options = try options(to: version, through: phase)
        options.digest = sealed
        options.finishesOnly = true
        try migrate(options, losing: nil, &done)
    }

    /// Runs a plan where nothing is begun.
    ///
    /// - Parameter sealed: The digest of the plan that was reviewed, where there is one.
    func run(
        _ plan: MigrationPlan, to version: String?, through phase: MigrationPhase, sealed: String? = nil,
        _ done: inout Done
    ) throws {
        var options = try options(to: version, through: phase)
        // What is run is what was looked at; of a plan that was reviewed before, the store knows what is left.
        let isReviewed = try state().reviewed != nil
        options.digest = sealed ?? (isReviewed ? nil : plan.digest)
        try migrate(options, losing: plan, &done)
    }

    private func options(to version: String?, through phase: MigrationPhase) throws -> MigrationOptions {
        var options = MigrationOptions()
        options.version = version
        options.lastPhase = phase
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        options.patience = try call.arguments.duration("lock-wait") ?? options.patience
        options.lockTimeout = try call.arguments.duration("lock-timeout") ?? options.lockTimeout
        options.attempts = try call.arguments.positiveCount("retries") ?? options.attempts
        let output = call.output
        options.progress = { progress in
            output.note(
                "\(progress.transition), step \(progress.step) of \(progress.steps): \(progress.sentence)")
        }
        return options
    }

    private func migrate(
        _ options: MigrationOptions, losing plan: MigrationPlan?, _ done: inout Done
    ) throws {
        let state = try state()
        if mayLose(plan, state, through: options.lastPhase) {
            done.backups.append(try backUp(state, done.backups.count + 1))
        }
        let outcome = try store.backend.migrate(store.url, to: versions, options)
        done.outcome.transitions += outcome.transitions
        done.outcome.steps += outcome.steps
        done.outcome.notes += outcome.notes
        done.outcome.isPending = outcome.isPending
    }

    /// Asks a person at a terminal, and for the name of a store of production.
    func confirm(_ plan: MigrationPlan?) throws {
        try Confirmation.check(call, store)
        let input = call.tool.input
        guard input.isTerminal, !call.arguments.has("yes") else { return }
        let text =
            try plan.map { $0.isEmpty ? "" : $0.text(sql: false) } ?? state().run?.text(sql: false) ?? ""
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
    private func mayLose(
        _ plan: MigrationPlan?, _ state: MigrationState, through phase: MigrationPhase
    ) -> Bool {
        // While a migration keeps everybody out, there is nothing whole to be copied; that was done before it began.
        let isShared = phase == .contract && state.run?.isShared == true
        switch wantedBackup {
        case "none": return false
        case "auto": return plan?.losses.isEmpty == false || isShared && state.run?.losses.isEmpty == false
        default: return plan?.isEmpty == false || isShared
        }
    }

    /// Makes a backup, and answers where it is.
    ///
    /// - Parameter number: Which one of the call it is, from 1: a call may go two ways, and something else is lost on each.
    private func backUp(_ state: MigrationState, _ number: Int) throws -> String {
        let folder = BackupFolder(call)
        if wantedBackup == "auto" { try folder.make() }
        let wanted =
            wantedBackup == "auto"
            ? folder.newPath(for: store, CivilTime(date: Date()).text)
            : call.tool.surroundings.resolved(wantedBackup)
        let path = NumberedPath.path(wanted, number)
        call.output.note("backing up to \(path)")
        // The newer model of a run that was begun doesn't know what is going to be lost.
        let older = try state.run == nil ? nil : state.models.dropLast().last?.model()
        _ = try BackupMaking(
            store: store, backend: call.tool.fileBackend(), path: path, output: call.output, model: older
        ).make()
        return path
    }

    /// Tells what was done, and what is left.
    func report(_ done: Done) -> Report {
        let outcome = done.outcome
        let json: [String: JSONValue] = [
            "store": store.json, "transitions": .array(outcome.transitions.map(JSONValue.string)),
            "steps": .int(outcome.steps), "pending": .bool(outcome.isPending),
            "notes": .array(outcome.notes.map(JSONValue.string)),
            "backups": .array(done.backups.map(JSONValue.string)),
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
