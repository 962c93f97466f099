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

    /// Runs a plan, and tells how far it is.
    ///
    /// - Parameter sealed: The digest of the plan that was reviewed, where there is one.
    func run(
        _ plan: MigrationPlan, to version: String?, through phase: MigrationPhase, sealed: String? = nil
    ) throws -> Report {
        var options = MigrationOptions()
        options.version = version
        options.lastPhase = phase
        // What is run is what was looked at; a run that was begun before has its own plan.
        let run = try state().run
        options.digest = sealed ?? (run == nil ? plan.digest : nil)
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        options.patience = try call.arguments.duration("lock-wait") ?? options.patience
        options.lockTimeout = try call.arguments.duration("lock-timeout") ?? options.lockTimeout
        options.attempts = try call.arguments.positiveCount("retries") ?? options.attempts
        let backup = try backUp(plan, &options)
        let output = call.output
        options.progress = { progress in
            output.note(
                "\(progress.transition), step \(progress.step) of \(progress.steps): \(progress.sentence)")
        }
        let outcome = try store.backend.migrate(store.url, to: versions, options)
        return report(outcome, backup: backup)
    }

    /// Asks a person at a terminal, and for the name of a store of production.
    func confirm(_ plan: MigrationPlan) throws {
        try Confirmation.check(call, store)
        let input = call.tool.input
        guard input.isTerminal, !call.arguments.has("yes"), !plan.isEmpty else { return }
        call.output.message(plan.text(sql: false) + "Do this to \(store.title)? [y/N] ")
        guard ["y", "yes"].contains(input.next()?.trimmingSpaces.lowercased() ?? "") else {
            throw AdminError.refused(
                "nothing was changed.", hint: "Add --yes to go ahead without being asked.")
        }
    }

    // MARK: Backups

    /// Makes a backup where one is wanted; answers where it is.
    private func backUp(_ plan: MigrationPlan, _ options: inout MigrationOptions) throws -> String? {
        let wanted = call.arguments["backup"] ?? "auto"
        if wanted == "none" || plan.isEmpty || wanted == "auto" && plan.losses.isEmpty { return nil }
        let folder = BackupFolder(call)
        if wanted == "auto" { try folder.make() }
        let path =
            wanted == "auto"
            ? folder.newPath(for: store, CivilTime(date: Date()).text)
            : call.tool.surroundings.resolved(wanted)
        call.output.note("backing up to \(path)")
        _ = try BackupMaking(
            store: store, backend: call.tool.fileBackend(), path: path, output: call.output
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
