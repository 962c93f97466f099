import ContextCore

/// What is to be told of a store's migrations to whoever looks at the store as a whole.
struct MigrationOutlook: Sendable {
    /// What the store's model is called, where it is one of the versions that are known.
    private(set) var version: String?
    /// The transitions that are left to do; nil where no versions are known, or it can't be told.
    private(set) var pending: [String]?
    /// What was begun and not finished.
    private(set) var run: MigrationState.Run?
    /// Who migrates the store at this moment.
    private(set) var holder: String?
    /// In what the tables differ from what the model asks for; nil where that wasn't found out.
    private(set) var drift: [String]?
    /// Why it can't be told what is left to do.
    private(set) var problem: AdminError?
    private let storeWords: String
    /// The program to run, by name.
    private let tool: String

    /// Finds out what there is to tell; what can't be found out is left out, and keeps nobody from telling the rest.
    init(_ call: CommandCall, _ store: AdministeredStore) {
        tool = call.tool.name
        storeWords =
            (call.arguments["store"].map { " -s \($0)" } ?? "")
            + (call.arguments["tenant"].map { " --tenant \($0)" } ?? "")
        holder = try? store.inspect { try ($0 as? any StoreExaminer)?.migratingProcess() }
        guard store.backend.migrating != nil else { return }
        do {
            let migrator = try store.backend.migrator(of: store.url)
            defer { migrator.close() }
            let state = try migrator.state()
            run = state.run
            // While a migration goes on, the tables are on their way from one model to the other.
            if run == nil {
                drift = try ProgressLine.during("comparing the tables", call.output) { try migrator.drift() }
            }
            try look(for: state, call)
        } catch {
            problem = AdminError(error)
        }
    }

    private mutating func look(for state: MigrationState, _ call: CommandCall) throws {
        let history = ModelHistory(call)
        if try call.tool.model == nil && history.frozenNames().isEmpty { return }
        let versions = try history.versions()
        let stored = state.models.last?.fingerprint
        version =
            versions.infersFirst ? nil : versions.versions.last { $0.model.fingerprint == stored }?.name
        pending =
            try run.map { [$0.transition] }
            ?? versions.transitions(from: ObjectModel(inForceAmong: state.models)).map(\.name)
    }

    /// Whether anything is left to do, or to decide.
    var needsAttention: Bool {
        run != nil || pending?.isEmpty == false || drift?.isEmpty == false || problem != nil
    }

    /// What to run next; nil where there is nothing to do.
    var next: String? {
        if let run {
            return "\(tool) migrate \(run.nextCommand)\(storeWords)"
        }
        if pending?.isEmpty == false || problem?.code == "SC2011" {
            return "\(tool) migrate plan\(storeWords)"
        }
        return drift?.isEmpty == false ? "\(tool) drift\(storeWords)" : nil
    }

    /// The members of documents.
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

    /// What people are told, a heading and a text each.
    var lines: [(heading: String, text: String)] {
        var lines: [(String, String)] = []
        if let version { lines.append(("version", version)) }
        if let run { lines.append(("begun", "\(run.transition), \(run.extent)")) }
        if let holder { lines.append(("migrating", holder)) }
        if run == nil, let pending {
            lines.append(("pending", pending.isEmpty ? "nothing" : pending.joined(separator: ", ")))
        }
        if let drift {
            lines.append(
                ("drift", drift.isEmpty ? "none" : Quantity.of(drift.count, "difference", "differences")))
        }
        if let problem { lines.append(("problem", problem.message)) }
        if let next { lines.append(("next", next)) }
        return lines
    }
}

extension MigrationState.Run {
    /// How far it is, for people.
    var extent: String { "\(done) of \(Quantity.of(steps.count, "step", "steps")) done" }

    /// How far it is, as documents have it.
    var json: JSONValue {
        .object([
            "transition": .string(transition), "done": .int(done), "steps": .int(steps.count),
        ])
    }
}
