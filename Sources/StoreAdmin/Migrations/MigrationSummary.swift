import ContextCore

/// The state of a store's migrations, for commands that report on the store as a whole.
struct MigrationSummary: Sendable {
    /// The name of the store's version, if its model is one of the known versions.
    private(set) var version: String?
    /// The transitions that remain; nil if no versions are known, or if they can't be determined.
    private(set) var pending: [String]?
    /// The unfinished migration.
    private(set) var run: MigrationState.Run?
    /// The process that is migrating the store now.
    private(set) var holder: String?
    /// The differences between the tables and the model; nil if they weren't compared.
    private(set) var drift: [String]?
    /// The error that prevented determining the state.
    private(set) var problem: AdminError?
    private let storeOptions: String
    /// The program's name, for commands to run.
    private let tool: String

    /// Reads the state; an error leaves the affected properties nil and is stored in ``problem``.
    init(_ call: CommandCall, _ store: AdministeredStore) {
        tool = call.tool.name
        storeOptions =
            (call.arguments["store"].map { " -s \($0.shellQuoted)" } ?? "")
            + (call.arguments["tenant"].map { " --tenant \($0.shellQuoted)" } ?? "")
        holder = try? store.inspect { try ($0 as? any StoreExaminer)?.migratingProcess() }
        guard store.backend.migrationSupport != nil else { return }
        do {
            let migrator = try store.backend.migrator(of: store.url)
            defer { migrator.close() }
            let state = try migrator.state()
            run = state.run
            // During a migration the tables match neither the older nor the newer model.
            if run == nil {
                drift = try ProgressLine.run("comparing the tables", call.output) { try migrator.drift() }
            }
            try readPending(for: state, call)
        } catch {
            problem = AdminError(error)
        }
    }

    private mutating func readPending(for state: MigrationState, _ call: CommandCall) throws {
        let history = ModelHistory(call)
        if try call.tool.model == nil && history.frozenNames().isEmpty { return }
        let versions = try history.versions()
        let stored = state.models.last?.fingerprint
        version =
            versions.infersFirst ? nil : versions.versions.last { $0.model.fingerprint == stored }?.name
        pending =
            try run.map { [$0.transition] }
            ?? versions.transitions(from: ObjectModel(currentAmong: state.models)).map(\.name)
        problem = history.unfrozenModelError(versions)
    }

    /// Whether the operator has to do something.
    var needsAttention: Bool {
        run != nil || pending?.isEmpty == false || drift?.isEmpty == false || problem != nil
    }

    /// The command to run next; nil if there is nothing to do.
    var next: String? {
        if let run {
            return "\(tool) migrate \(run.nextCommand)\(storeOptions)"
        }
        if pending?.isEmpty == false || problem?.code == "SC2011" {
            return "\(tool) migrate plan\(storeOptions)"
        }
        return drift?.isEmpty == false ? "\(tool) drift\(storeOptions)" : nil
    }

    /// The members of JSON documents.
    var json: [String: JSONValue] {
        [
            "migrations": .object([
                "version": version.map(JSONValue.string) ?? .null,
                "pending": pending.map { .array($0.map(JSONValue.string)) } ?? .null,
                "run": run?.json ?? .null, "problem": problem.map { .string($0.message) } ?? .null,
            ]),
            "lock": .object([
                "held": .bool(holder != nil), "holder": holder.map(JSONValue.string) ?? .null,
            ]),
            "drift": .object(["count": drift.map { .int($0.count) } ?? .null]),
            "next": .array([next].compactMap { $0.map(JSONValue.string) }),
        ]
    }

    /// The lines of a text report, each a heading and a text.
    var lines: [(heading: String, text: String)] {
        var lines: [(String, String)] = []
        if let version { lines.append(("version", version)) }
        if let run { lines.append(("started", "\(run.transition), \(run.progressText)")) }
        if let holder { lines.append(("migrating", holder)) }
        if run == nil, let pending {
            lines.append(("pending", pending.isEmpty ? "nothing" : pending.joined(separator: ", ")))
        }
        if let drift {
            lines.append(
                ("drift", drift.isEmpty ? "none" : Quantity.text(drift.count, "difference", "differences")))
        }
        if let problem { lines.append(("problem", problem.message)) }
        if let next { lines.append(("next", next)) }
        return lines
    }
}

extension MigrationState.Run {
    /// The progress in words: `2 of 5 steps done`.
    var progressText: String { "\(done) of \(Quantity.text(steps.count, "step", "steps")) done" }

    /// The progress, as JSON.
    var json: JSONValue {
        .object([
            "transition": .string(transition), "done": .int(done), "steps": .int(steps.count),
        ])
    }
}
