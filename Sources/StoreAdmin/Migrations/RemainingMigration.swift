import ContextCore

/// The remaining steps of an unfinished migration, which must be finished before another is planned.
struct RemainingMigration: Sendable {
    let run: MigrationState.Run
    private let backend: String
    /// The digest of the approved plan that the migration is part of.
    private let reviewed: String?
    private let counts: [String: RowCount]
    private let frame: MigrationPlan.Frame

    /// Reads the unfinished migration of a store; nil if there is none.
    init?(of store: AdministeredStore) throws {
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        let state = try migrator.state()
        guard let run = state.run else { return nil }
        self.run = run
        backend = store.backend.name
        reviewed = state.reviewed
        let tables = Set(run.remainingSteps.flatMap { $0.effects ?? [] }.map(\.table))
        counts = try migrator.rowCounts(of: tables.sorted())
        frame = try migrator.plan([]).frame
    }

    /// Reports the remaining steps as a plan.
    func report(sql: Bool) -> Report { Report("migrate.plan", json) { _ in text(sql: sql) } }

    /// The members of the JSON document of a plan.
    private var json: [String: JSONValue] {
        [
            "backend": .string(backend), "digest": reviewed.map(JSONValue.string) ?? .null,
            "empty": .bool(false), "losses": .array(run.losses.map(JSONValue.string)),
            "undecided": .array([]), "refusal": .null, "changes": .array([]),
            "steps": .array(run.remainingSteps.map { $0.json(run.transition, counts) }),
        ]
    }

    /// The members of the JSON document of a script.
    var scriptJSON: [String: JSONValue] {
        [
            "backend": .string(backend), "digest": reviewed.map(JSONValue.string) ?? .null,
            "script": .string(text(sql: true)),
        ]
    }

    /// Returns the steps as text, in sentences or as SQL statements.
    func text(sql: Bool) -> String {
        let table = EffectTable(run.remainingSteps, counts)
        let first =
            sql
            ? "-- \(run.transition), the remaining steps"
            : "The migration \(run.transition) is unfinished. The remaining steps:"
        let steps = run.remainingSteps.flatMap {
            sql ? $0.scriptLines(table, counts, frame) : $0.lines(table, counts)
        }
        let goes = !sql && run.remainingSteps.contains { $0.phase == .contract }
        let losses = goes ? run.losses.map { "Lost: \($0)." } : []
        return ([first] + steps + losses).map { $0 + "\n" }.joined()
    }
}
