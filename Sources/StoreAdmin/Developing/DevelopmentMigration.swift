import ContextCore

/// Freezes a changed model as the next version, and migrates a development store to it.
struct DevelopmentMigration {
    private let call: CommandCall
    private let store: AdministeredStore
    private let history: ModelHistory
    private let model: ObjectModel
    private let planner: VersionPlanner
    private let prompts: HintPrompts
    /// The reasons of the losses that the options accept, which may be empty.
    private let reasons: [String: String]

    /// Creates the migration of a call.
    ///
    /// - Throws: ``AdminError`` if the store is a production store.
    init(_ call: CommandCall) throws {
        // Each of the parts resolves the store, whose password a command may print.
        var call = call
        call.resolvedAddress = try call.address()
        self.call = call
        store = try call.store()
        if store.isProduction {
            throw AdminError.refused(
                "\(store.title) is a production store, and 'migrate dev' is for development.",
                hint: "Migrate it with 'storectl migrate plan' and 'storectl migrate apply'.")
        }
        try Self.checkOrigin(call, store)
        history = ModelHistory(call)
        prompts = HintPrompts(call)
        model = try ModelSelection(call: call).modelToFreeze()
        let unexplained = try (call.arguments.list("accept-loss") ?? []).map { ($0, "") }
        reasons = try HintOptions(call: call).pairs("accept").merging(unexplained) { reason, _ in reason }
        planner = try VersionPlanner(call, model, reasons: reasons)
    }

    /// Writes the files of the next version, migrates the store, and compares its tables with the model.
    func run() throws -> Report {
        let frozen = try planner.frozenVersions()
        var done = MigrationOutcome()
        let before = try finishedState(frozen, &done)
        let stored = try before.map { try ObjectModel(currentAmong: $0.models) }
        let project = try planner.versions(after: frozen, stored: stored)
        if let amended = project.amended { try AmendCheck(call, store).check(amended) }
        let versions = try project.versions()
        let files = try project.files(in: history)
        let migration = try MigrationCall(
            call, stored.map { try targets(versions, from: $0, before) } ?? versions)
        let plan = try stored == nil ? nil : plan(migration)
        try checkAcceptedLosses(project, plan)
        if plan?.isEmpty != true || !files.paths.isEmpty { try checkConsent() }
        try show(files, plan, migration, done)
        try files.write()
        do {
            if let plan {
                if !plan.isEmpty { try migration.run(plan, to: nil, through: .contract, &done) }
            } else {
                try store.write(model: model) { _ in }
            }
        } catch {
            if (try? isUnchanged(since: before)) == true { files.remove() }
            throw error
        }
        let differences = try store.backend.adopt(store.url, as: versions.last)
        return Result(
            store: store, version: versions.last.name, files: files.paths,
            operations: project.newVersions.last?.manifest?.operations ?? [], isCreated: plan == nil,
            outcome: done, differences: differences
        ).report
    }

    // MARK: Permission

    /// Throws if the store is on a server and only an environment variable names it.
    ///
    /// Such a variable may be set for another program, in the environment of a server as well.
    private static func checkOrigin(_ call: CommandCall, _ store: AdministeredStore) throws(AdminError) {
        guard store.name == nil, call.arguments["store"] == nil,
            store.backend.administration?.pathsAreFiles != true
        else { return }
        throw .refused(
            "'migrate dev' changes \(store.title) only if you name it: its address is that of an environment variable.",
            hint: "Pass the store with --store, or add it to \(ConfigurationNames.file).")
    }

    /// Throws if the input is no terminal and the call doesn't have `--yes`.
    private func checkConsent() throws(AdminError) {
        if call.tool.input.isTerminal || call.arguments.has("yes") { return }
        throw .refused(
            "'migrate dev' would change \(store.title) or the project's files, and there is no terminal to confirm that at.",
            hint: "Add --yes to confirm that it is a development store.")
    }

    // MARK: The store

    /// Returns the state of the store after its unfinished migration, if there is one, was finished; nil if there is no store.
    private func finishedState(
        _ frozen: [ModelVersion], _ done: inout MigrationOutcome
    ) throws -> MigrationState? {
        guard try store.modelIfExists() != nil else { return nil }
        let state = try store.backend.migrationState(of: store.url)
        if state.run == nil { return state }
        try checkConsent()
        let versions = try frozen.isEmpty ? ModelVersions(inferringTo: model) : ModelVersions(frozen)
        let migration = try MigrationCall(call, versions)
        try migration.finishRun(to: nil, through: .contract, &done)
        return try migration.state()
    }

    /// Whether the store has the model that it had before, and no unfinished migration.
    private func isUnchanged(since before: MigrationState?) throws -> Bool {
        guard let before else { return try store.modelIfExists() == nil }
        let state = try store.backend.migrationState(of: store.url)
        return state.run == nil && state.models.last?.fingerprint == before.models.last?.fingerprint
    }

    // MARK: The plan

    /// Returns the versions through which the store is migrated.
    ///
    /// If its model is none of them, because a program migrated it automatically or because the last version is amended, the store is
    /// migrated directly to the model: without stages, and without conversions of attributes that it has already.
    private func targets(
        _ versions: ModelVersions, from stored: ObjectModel, _ state: MigrationState?
    ) throws -> ModelVersions {
        if versions.versions.contains(where: { $0.model.fingerprint == stored.fingerprint }) {
            return versions
        }
        var hints = versions.last.hints.merging(planner.hints)
        hints.conversions = hints.conversions.filter { !stored.hasAttribute($0.key, as: model) }
        hints = prompts.hints(hints, from: stored, to: model)
        let direct = ModelVersions(inferringTo: model, hints: hints)
        guard let transition = try direct.transitions(from: stored).first else { return direct }
        let known = hints.acceptedLosses.map { ($0, "") }
        hints.acceptedLosses = Set(
            try prompts.reasons(
                forLosing: transition.losses, reasons.merging(known) { reason, _ in reason },
                in: "the migration of \(store.title)"
            ).keys)
        let accepting = ModelVersions(inferringTo: model, hints: hints)
        do {
            try accepting.checkDirection(state?.models ?? [], automatic: state?.automatic ?? [])
        } catch {
            throw AdminError.refused(
                "the store's model is no frozen version, and the migration would only revert an earlier one.",
                hint: "Drop the development store with 'storectl db drop', and run the command again.")
        }
        return accepting
    }

    /// Plans the migration of the store, and throws if the plan needs a decision.
    private func plan(_ migration: MigrationCall) throws -> MigrationPlan {
        let plan = try store.backend.sampledMigrationPlan(of: store.url, to: migration.versions)
        try plan.checkDecisions(accepting: Set(reasons.keys))
        return plan
    }

    /// Throws if an option accepts a loss that neither the new migration file nor the migration of the store has.
    private func checkAcceptedLosses(_ project: ProjectVersions, _ plan: MigrationPlan?) throws(AdminError) {
        // A script may pass the options again after everything is done.
        if project.newVersions.isEmpty, plan?.isEmpty != false { return }
        let files = project.newVersions.compactMap(\.manifest?.hints.acceptedLosses)
        let lost = files.reduce(into: Set(plan?.losses ?? [])) { $0.formUnion($1) }
        for name in reasons.keys.sorted() where !lost.contains(name) {
            let near = Spelling.nearest(to: name, among: lost.sorted()).map { "Did you mean \($0)?" }
            throw .refused(
                "the loss of \(name) is accepted, but nothing loses it.",
                hint: near ?? "Remove it from the options.")
        }
    }

    /// Shows the files and the plan; at a terminal, asks the user to confirm them.
    private func show(
        _ files: VersionFiles, _ plan: MigrationPlan?, _ migration: MigrationCall, _ done: MigrationOutcome
    ) throws(AdminError) {
        var text = files.paths.map { "New file: \($0)\n" }.joined()
        if let plan, !plan.isEmpty {
            text += plan.text(sql: call.arguments.has("sql"))
            text += call.arguments.has("sql") ? "" : plan.sampleText(call.output.messageStyle)
        }
        if text.isEmpty { return }
        if migration.asksForConfirmation {
            try migration.confirm("Write the files and migrate \(store.title)?", showing: text, after: done)
        } else if !call.output.isQuiet {
            call.output.message(text)
        }
    }
}

extension ObjectModel {
    /// Whether the model has an attribute, named by its path, with the type that it has in another model.
    fileprivate func hasAttribute(_ path: String, as other: ObjectModel) -> Bool {
        let part = ModelPart(path)
        func type(in model: ObjectModel) -> AttributeType? {
            part.property.flatMap { model.layout(named: part.entity)?.property(named: $0)?.attribute?.type }
        }
        return type(in: self) != nil && type(in: self) == type(in: other)
    }
}
