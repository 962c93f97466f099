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
        MigrationBackups.option,
        .flag("yes", nil, "Doesn't ask, on a terminal."),
        Confirmation.option,
    ]

    let call: CommandCall
    let store: AdministeredStore
    let versions: ModelVersions
    private let history: ModelHistory

    init(_ call: CommandCall) throws {
        self.call = call
        store = try call.store()
        history = ModelHistory(call)
        versions = try history.versions()
    }

    /// What would be done.
    ///
    /// - Throws: ``AdminError`` where the store notes versions, nothing is frozen here, and so those in between would be left out.
    ///
    /// - Parameter isSampled: Whether it has samples of what becomes of rows.
    func plan(to version: String?, isSampled: Bool = false) throws -> MigrationPlan {
        try checkInference(state())
        if isSampled {
            return try store.backend.sampledMigrationPlan(of: store.url, to: versions, version: version)
        }
        return try store.backend.migrationPlan(of: store.url, to: versions, version: version)
    }

    /// The ways that a store in a state has to go, without what has to be done on them.
    ///
    /// - Throws: ``AdminError`` as ``plan(to:)`` does.
    func transitions(from state: MigrationState) throws -> [ModelTransition] {
        try checkInference(state)
        return try versions.transitions(from: ObjectModel(inForceAmong: state.models))
    }

    private func checkInference(_ state: MigrationState) throws {
        guard versions.infersFirst, state.models.last?.fingerprint != versions.last.model.fingerprint else {
            return
        }
        try history.checkInference(known: state.versions.keys)
        history.tellOfInference()
    }

    /// What is left of a migration that was begun; nil where none was.
    func rest() throws -> MigrationRest? { try MigrationRest(of: store) }

    /// Refuses to finish what was begun where it goes from version to version, nothing is frozen here, and so what is to come after it
    /// would be refused: what was finished would be told nobody.
    func checkWay(after state: MigrationState) throws {
        guard versions.infersFirst, let run = state.run,
            run.fingerprint != versions.last.model.fingerprint
        else { return }
        let isInferred = run.transition.hasSuffix("-\(ModelVersions.inferredName)")
        let begun = isInferred ? [] : run.transition.split(separator: "-").map(String.init)
        try history.checkInference(known: Set(state.versions.keys).union(begun))
    }

    func state() throws -> MigrationState { try store.backend.migrationState(of: store.url) }

    /// Throws if an accepted loss occurs on no path from the store's model to a known version.
    func checkAcceptedLosses(_ state: MigrationState) throws {
        try versions.checkAcceptedLosses(Set(call.arguments.list("accept-loss") ?? []), in: state)
    }

    /// Refuses to finish what was begun where the ways after it, as far as a version, would be refused for what somebody has to decide.
    func checkDecisions(after run: MigrationState.Run, to version: String) throws {
        let newer = try ObjectModel(fileText: run.fileText, fileName: "the model of the migration")
        let plan = try store.backend.migrationPlan(versions.transitions(from: newer, to: version))
        try plan.checkDecisions(accepting: Set(call.arguments.list("accept-loss") ?? []))
    }

    /// Does what comes after a migration was finished; an error says that it was.
    func goOn<Value>(after done: MigrationOutcome, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as StoreError {
            throw error.after(done.transitions)
        }
    }

    /// Finishes what was begun, and that alone.
    ///
    /// - Parameters:
    ///   - version: The version at which the store is to end; nil for the last.
    ///   - sealed: The digest of the plan that was reviewed, where there is one.
    func finishRun(
        to version: String?, through phase: MigrationPhase, sealed: String? = nil,
        _ done: inout MigrationOutcome
    ) throws {
        try confirm(nil)
        var options = try options(to: version, through: phase)
        options.digest = sealed
        options.finishesOnly = true
        try migrate(state(), options, losing: nil, &done)
    }

    /// Runs a plan where nothing is begun.
    ///
    /// - Parameter sealed: The digest of the plan that was reviewed, where there is one.
    func run(
        _ plan: MigrationPlan, to version: String?, through phase: MigrationPhase, sealed: String? = nil,
        _ done: inout MigrationOutcome
    ) throws {
        var options = try options(to: version, through: phase)
        let state = try state()
        // What is run is what was looked at; of a plan that was reviewed before, the store knows what is left.
        options.digest = sealed ?? (state.reviewed == nil ? plan.digest : nil)
        try migrate(state, options, losing: plan, &done)
    }

    /// Throws if an option's value makes no sense, whatever the store is.
    static func checkOptions(_ call: CommandCall, _ versions: ModelVersions) throws {
        for name in ["lock-wait", "lock-timeout"] { _ = try call.arguments.duration(name) }
        _ = try call.arguments.positiveCount("retries")
        _ = try call.arguments.list("accept-loss")
        try versions.checkVersion(call.arguments["to"])
    }

    private func options(to version: String?, through phase: MigrationPhase) throws -> MigrationOptions {
        var options = MigrationOptions()
        options.version = version
        options.lastPhase = phase
        options.acceptedLosses = Set(try call.arguments.list("accept-loss") ?? [])
        options.patience = try call.arguments.duration("lock-wait") ?? options.patience
        options.lockTimeout = try call.arguments.duration("lock-timeout") ?? options.lockTimeout
        options.attempts = try call.arguments.positiveCount("retries") ?? options.attempts
        let interruption = call.interruption
        options.isCancelled = { interruption.isWanted }
        return options
    }

    private func migrate(
        _ state: MigrationState, _ options: MigrationOptions, losing plan: MigrationPlan?,
        _ done: inout MigrationOutcome
    ) throws {
        let backups = MigrationBackups(call, store)
        if backups.areNeeded(before: plan, state, through: options.lastPhase) {
            try checkEarly(plan, options)
            done.backups.append(try backups.make(of: state, number: done.backups.count + 1))
        }
        let outcome = try watched(options)
        done.transitions += outcome.transitions
        done.steps += outcome.steps
        done.notes += outcome.notes
        done.isPending = outcome.isPending
        done.leftPhases = outcome.leftPhases
    }

    /// Refuses what would be refused as soon as it is begun, before a backup is made, which may take hours and would be of no use.
    private func checkEarly(_ plan: MigrationPlan?, _ options: MigrationOptions) throws {
        try plan?.checkDecisions(accepting: options.acceptedLosses)
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        for check in plan?.steps.first?.checks ?? [] {
            if let refusal = check.refusal(try migrator.count(check)) { throw refusal }
        }
    }

    /// Asks a person at a terminal, and for the name of a production store.
    ///
    /// - Parameter done: What the same call has done already.
    func confirm(_ plan: MigrationPlan?, after done: MigrationOutcome = MigrationOutcome()) throws {
        try Confirmation.check(call, store)
        let input = call.tool.input
        guard input.isTerminal, !call.arguments.has("yes") else { return }
        let text =
            try plan.map { $0.isEmpty ? "" : $0.text(sql: false) } ?? rest()?.text(sql: false) ?? ""
        if text.isEmpty { return }
        call.output.message(text + "Do this to \(store.title)? [y/N] ")
        guard ["y", "yes"].contains(input.next()?.trimmingSpaces.lowercased() ?? "") else {
            let fate =
                done.transitions.isEmpty ? "nothing was changed" : StoreError.finished(done.transitions)
            throw AdminError.refused("\(fate).", hint: "Add --yes to go ahead without being asked.")
        }
    }

    /// Tells what was done, and what is left.
    func report(_ outcome: MigrationOutcome) -> Report {
        let json: [String: JSONValue] = [
            "store": store.json, "transitions": .array(outcome.transitions.map(JSONValue.string)),
            "steps": .int(outcome.steps), "pending": .bool(outcome.isPending),
            "left": .array(outcome.leftPhases.map { .string($0.rawValue) }),
            "notes": .array(outcome.notes.map(JSONValue.string)),
            "backups": .array(outcome.backups.map(JSONValue.string)),
        ]
        return Report("migrate.apply", json) { [tool = call.tool] _ in
            var lines = outcome.notes
            if outcome.isPending {
                let early = outcome.leftPhases.filter { $0 < .contract }.map(\.rawValue)
                let next =
                    early.isEmpty
                    ? "the last phase waits"
                    : "\(early.joined(separator: " and ")) waits for 'storectl migrate apply', and the last phase"
                lines.append(
                    "\(Quantity.of(outcome.steps, "step", "steps")) done; \(next) for 'storectl migrate complete'."
                )
            } else if outcome.steps == 0 {
                lines.append("There was nothing to do.")
            } else {
                lines.append(
                    "\(outcome.transitions.joined(separator: ", ")): \(Quantity.of(outcome.steps, "step", "steps")) done."
                )
            }
            return tool.named(lines.map { $0 + "\n" }.joined())
        }
    }
}
