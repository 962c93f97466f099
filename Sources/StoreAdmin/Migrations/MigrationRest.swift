import ContextCore

/// What is left of a migration that was begun: nothing else can be planned before that is done.
struct MigrationRest: Sendable {
    let run: MigrationState.Run
    private let backend: String
    /// The digest of the plan that was reviewed, of which it is a part.
    private let reviewed: String?
    private let counts: [String: RowCount]
    private let frame: MigrationPlan.Frame

    /// Is nil where nothing was begun.
    init?(of store: AdministeredStore) throws {
        let migrator = try store.backend.migrator(of: store.url)
        defer { migrator.close() }
        let state = try migrator.state()
        guard let run = state.run else { return nil }
        self.run = run
        backend = store.backend.name
        reviewed = state.reviewed
        let tables = Set(run.rest.flatMap { $0.effects ?? [] }.map(\.table))
        counts = try migrator.rowCounts(of: tables.sorted())
        frame = try migrator.plan([]).frame
    }

    /// As the document of a plan.
    var json: [String: JSONValue] {
        [
            "backend": .string(backend), "digest": reviewed.map(JSONValue.string) ?? .null,
            "empty": .bool(false), "losses": .array(run.losses.map(JSONValue.string)),
            "undecided": .array([]), "changes": .array([]),
            "steps": .array(run.rest.map { $0.json(run.transition, counts) }),
        ]
    }

    /// As the document of a script.
    var scriptJSON: [String: JSONValue] {
        [
            "backend": .string(backend), "digest": reviewed.map(JSONValue.string) ?? .null,
            "script": .string(text(sql: true)),
        ]
    }

    /// For people: sentences, or the statements.
    func text(sql: Bool) -> String {
        let table = EffectTable(run.rest, counts)
        let first =
            sql ? "-- \(run.transition), which was begun" : "\(run.transition) was begun; what is left of it:"
        let steps = run.rest.flatMap {
            sql ? $0.scriptLines(table, counts, frame) : $0.lines(table, counts)
        }
        let goes = !sql && run.rest.contains { $0.phase == .contract }
        let losses = goes ? run.losses.map { "Lost: \($0)." } : []
        return ([first] + steps + losses).map { $0 + "\n" }.joined()
    }
}
