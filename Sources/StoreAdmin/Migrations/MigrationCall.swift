import ContextCore
import Foundation

/// The common parts of the commands that migrate a store.
struct MigrationCall {
    static let runOptions: [OptionDeclaration] = [
        ModelHistory.option,
        .option("accept-loss", nil, "A,B", "The losses to accept, by name: Game, Game.title."),
        .option(
            "lock-wait", nil, "TIME",
            "How long to wait for another process that migrates the store. The default is 60s."),
        .option(
            "lock-timeout", nil, "TIME", "How long a step waits for a lock on tables. The default is 500ms."),
        .option(
            "retries", nil, "N", "How often to try a step that can't get its locks. The default is 10."),
        MigrationBackups.option,
        .flag("yes", nil, "Skips the question on a terminal."),
        Confirmation.option,
    ]

    let call: CommandCall
    let store: AdministeredStore
    let versions: ModelVersions
    private let history: ModelHistory

    /// Creates the common parts of a call.
    ///
    /// - Parameter versions: The versions of the model; nil for those of the project.
    init(_ call: CommandCall, _ versions: ModelVersions? = nil) throws {
        self.call = call
        store = try call.store()
        let history = ModelHistory(call)
        self.history = history
        self.versions = try versions ?? history.versions()
    }

    /// Plans the migration of the store.
    ///
    /// - Parameter isSampled: Whether the plan contains samples of converted rows.
    /// - Throws: ``AdminError`` if no version is given and the application's model is not frozen, or if the store records frozen versions
    ///   but the project has none, because an inferred migration would skip the versions in between.
    func plan(to version: String?, isSampled: Bool = false) throws -> MigrationPlan {
        if version == nil, let error = unfrozenModelError { throw error }
        try checkInference(state())
        if isSampled {
            return try store.backend.sampledMigrationPlan(of: store.url, to: versions, version: version)
        }
        return try store.backend.migrationPlan(of: store.url, to: versions, version: version)
    }

    /// The error for an application's model that is none of the versions; nil if it is one of them.
    var unfrozenModelError: AdminError? { history.unfrozenModelError(versions) }

    /// Returns the transitions from the store's model to the last version, without planning their steps.
    ///
    /// - Throws: ``AdminError`` if the store records frozen versions but the project has none.
    func transitions(from state: MigrationState) throws -> [ModelTransition] {
        try checkInference(state)
        return try versions.transitions(from: ObjectModel(currentAmong: state.models))
    }

    private func checkInference(_ state: MigrationState) throws {
        guard versions.infersFirst, state.models.last?.fingerprint != versions.last.model.fingerprint else {
            return
        }
        try history.checkInference(known: state.versions.keys)
        history.printInferenceNotice()
    }

    /// Returns the remaining part of an unfinished migration; nil if there is none.
    func remainingMigration() throws -> RemainingMigration? { try RemainingMigration(of: store) }

    /// Throws if an unfinished migration is between frozen versions and the project has none.
    ///
    /// The later transitions couldn't be planned, and the resulting error wouldn't say that the migration was finished.
    func checkFrozenVersions(after state: MigrationState) throws {
        guard versions.infersFirst, let run = state.run,
            run.fingerprint != versions.last.model.fingerprint
        else { return }
        let isInferred = run.transition.hasSuffix(ModelVersions.inferredName)
        let unfinishedVersions = isInferred ? [] : run.transition.split(separator: "-").map(String.init)
        try history.checkInference(known: Set(state.versions.keys).union(unfinishedVersions))
    }

    func state() throws -> MigrationState { try store.backend.migrationState(of: store.url) }

    /// Throws if an accepted loss occurs on no path from the store's model to a known version.
    func checkAcceptedLosses(_ state: MigrationState) throws {
        try versions.checkAcceptedLosses(Set(call.arguments.list("accept-loss") ?? []), in: state)
    }

    /// Throws if the transitions after an unfinished migration, up to a version, need a decision of the user.
    func checkDecisions(after run: MigrationState.Run, to version: String) throws {
        let newer = try ObjectModel(fileText: run.fileText, fileName: "the model of the migration")
        let plan = try store.backend.migrationPlan(versions.transitions(from: newer, to: version))
        try plan.checkDecisions(accepting: Set(call.arguments.list("accept-loss") ?? []))
    }

    /// Runs work after a finished migration; its errors say that the migration was finished.
    func continueMigration<Value>(after done: MigrationOutcome, _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch let error as StoreError {
            throw error.afterFinishing(done.transitions)
        }
    }

    /// Finishes an unfinished migration without starting another.
    ///
    /// - Parameters:
    ///   - version: The version to migrate to; nil for the last.
    ///   - approvedDigest: The digest of the approved plan, if there is one.
    func finishRun(
        to version: String?, through phase: MigrationPhase, approvedDigest: String? = nil,
        _ done: inout MigrationOutcome
    ) throws {
        try confirm(nil)
        var options = try options(to: version, through: phase)
        options.digest = approvedDigest
        options.finishesOnly = true
        try migrate(state(), options, losing: nil, &done)
    }

    /// Runs a plan on a store without an unfinished migration.
    ///
    /// - Parameter approvedDigest: The digest of the approved plan, if there is one.
    func run(
        _ plan: MigrationPlan, to version: String?, through phase: MigrationPhase,
        approvedDigest: String? = nil,
        _ done: inout MigrationOutcome
    ) throws {
        var options = try options(to: version, through: phase)
        let state = try state()
        // The digest ensures that the plan runs unchanged. If a reviewed plan was partly run before, the store has its digest.
        options.digest = approvedDigest ?? (state.reviewed == nil ? plan.digest : nil)
        try migrate(state, options, losing: plan, &done)
    }

    /// Throws if an option's value is invalid; called before the store is opened.
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
        options.waitTimeout = try call.arguments.duration("lock-wait") ?? options.waitTimeout
        options.lockTimeout = try call.arguments.duration("lock-timeout") ?? options.lockTimeout
        options.maximumAttempts = try call.arguments.positiveCount("retries") ?? options.maximumAttempts
        let stopRequest = call.stopRequest
        options.isCancelled = { stopRequest.isRequested }
        return options
    }

    private func migrate(
        _ state: MigrationState, _ options: MigrationOptions, losing plan: MigrationPlan?,
        _ done: inout MigrationOutcome
    ) throws {
        let backups = MigrationBackups(call, store)
        if backups.areNeeded(before: plan, state, through: options.lastPhase) {
            try checkBeforeBackup(plan, options)
            done.backups.append(try backups.make(of: state, number: done.backups.count + 1))
        }
        let outcome = try migrateWithProgress(options)
        done.transitions += outcome.transitions
        done.steps += outcome.steps
        done.notes += outcome.notes
        done.isPending = outcome.isPending
        done.remainingPhases = outcome.remainingPhases
    }

    /// Throws the errors that the migration's first step would throw; called before a backup is made, which may take hours.
    private func checkBeforeBackup(_ plan: MigrationPlan?, _ options: MigrationOptions) throws {
        guard let plan else { return }
        try plan.checkDecisions(accepting: options.acceptedLosses)
        if let refusal = try refusal(of: plan) { throw refusal }
    }

    /// Returns the error with which the first step of a plan refuses the objects in the store; nil if it accepts them.
    func refusal(of plan: MigrationPlan) throws -> StoreError? {
        let checks = plan.steps.first?.checks ?? []
        if checks.isEmpty { return nil }
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        for check in checks {
            if let refusal = check.refusal(try migrator.count(check)) { return refusal }
        }
        return nil
    }

    /// Asks the user at a terminal to confirm, and requires `--confirm` for a production store.
    ///
    /// - Parameter done: The outcome of the call so far.
    func confirm(_ plan: MigrationPlan?, after done: MigrationOutcome = MigrationOutcome()) throws {
        try Confirmation.check(call, store)
        guard asksForConfirmation else { return }
        let text =
            try plan.map { $0.isEmpty ? "" : $0.text(sql: false) } ?? remainingMigration()?.text(sql: false)
            ?? ""
        if !text.isEmpty { try confirm("Migrate \(store.title)?", showing: text, after: done) }
    }

    /// Whether the user is at a terminal, and hasn't skipped the question.
    var asksForConfirmation: Bool { call.tool.input.isTerminal && !call.arguments.has("yes") }

    /// Shows a text and asks a question, and throws unless the user answers yes.
    ///
    /// - Parameter done: The outcome of the call so far.
    func confirm(_ question: String, showing text: String, after done: MigrationOutcome) throws(AdminError) {
        call.output.message("\(text)\(question) [y/N] ")
        let answer = call.tool.input.next()?.trimmingSpaces.lowercased()
        if ["y", "yes"].contains(answer ?? "") { return }
        let result =
            done.transitions.isEmpty ? "nothing was changed" : StoreError.finishedSentence(done.transitions)
        throw .refused("the migration was not confirmed: \(result).", hint: "Add --yes to skip the question.")
    }

    /// Makes a report of the finished and the remaining work.
    func report(_ outcome: MigrationOutcome) -> Report {
        let json: [String: JSONValue] = [
            "store": store.json, "pending": .bool(outcome.isPending),
            "left": .array(outcome.remainingPhases.map { .string($0.rawValue) }),
        ]
        return Report("migrate.apply", json.merging(outcome.json) { $1 }) { [tool = call.tool] _ in
            tool.withProgramName(outcome.lines.map { $0 + "\n" }.joined())
        }
    }
}

extension MigrationOutcome {
    /// The finished work, as members of a JSON document.
    var json: [String: JSONValue] {
        [
            "transitions": .array(transitions.map(JSONValue.string)), "steps": .int(steps),
            "notes": .array(notes.map(JSONValue.string)), "backups": .array(backups.map(JSONValue.string)),
        ]
    }

    /// The finished and the remaining work, as lines of text.
    var lines: [String] {
        if isPending {
            let early = remainingPhases.filter { $0 < .contract }.map(\.rawValue)
            let next =
                early.isEmpty
                ? "the contract phase waits"
                : "\(early.joined(separator: " and ")) waits for 'storectl migrate apply', and the contract phase"
            return notes + [
                "\(Quantity.text(steps, "step", "steps")) done; \(next) for 'storectl migrate complete'."
            ]
        }
        if steps == 0 { return notes + ["There was nothing to do."] }
        return notes + [
            "\(transitions.joined(separator: ", ")): \(Quantity.text(steps, "step", "steps")) done."
        ]
    }
}
