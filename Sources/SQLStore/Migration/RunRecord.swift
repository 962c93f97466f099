import ContextCore

/// What a store notes of a migration together with the first step, so that it can be finished or taken back.
struct RunRecord: Codable, Sendable {
    /// What the fingerprint of the model in force begins with while none is.
    static let unfinished = "migrating "

    /// Tells this run from all others.
    var id: String
    /// The two versions.
    var transition: String
    /// The fingerprints of the two models.
    var from: String
    var to: String
    /// The newer model, as the text of a file.
    var model: String
    /// The numbers of its entities.
    var numbers: [String: Int]
    /// What people know of the way.
    var renames: [String: String]
    var removed: [String]
    var conversions: [String: String]
    /// The plan that it is a part of, from here on.
    var seal: MigrationSeal
    var steps: [MigrationStep]
    /// What takes everything back before the last phase, and what may hold something new by then.
    var undo: MigrationStep
    var added: [String]
    /// What goes, by name.
    var losses: [String]
    /// Whether a program does it by opening the store that knows no model but its own.
    var isAutomatic: Bool
    /// What people call the two versions; nil where they were inferred from models.
    var names: Names?
    /// The last phase that anybody has asked for; nil where who began it didn't note that.
    var lastPhase: MigrationPhase?
    /// Where a copy of the store is that was made before, for this part of the migration or for all of it.
    var backup: String?
    /// How many values contradicted the older model before the first step, by what they were of; nil where the migration changes none, or
    /// an older release began it.
    var contradictionsBefore: [String: Int]?
    /// The tables in which what contradicts the newer model is counted; nil where nothing is, or an older release began the migration, which
    /// counts everything with the last step.
    var touched: TouchedTables?

    struct Names: Codable, Sendable {
        var from: String
        var to: String
    }

    /// The last phase that is wanted: of what was begun before that was noted, all of it.
    var wantedPhase: MigrationPhase { lastPhase ?? .contract }

    /// What steps need of the program, from one of them on.
    func stages(after done: Int = 0) -> [MigrationStep.Fill] {
        steps.dropFirst(done).compactMap { step in
            if case .fill(let fill) = step.work, !fill.stage.isEmpty { fill } else { nil }
        }
    }
}

/// What was planned, and how much of it is still to come.
struct MigrationSeal: Codable, Sendable {
    /// The digest of the whole plan.
    var digest: String
    /// Whether somebody has reviewed the plan, so that nothing else may be run in its place.
    var isReviewed: Bool
    /// The digests of the stretches that are still to come.
    var rest: [String]
}
