import ContextCore

/// The record that the first step of a migration stores, with which the migration can be resumed or rolled back.
struct RunRecord: Codable, Sendable {
    /// The prefix of the current model's fingerprint while no model is in force.
    static let unfinished = "migrating "

    /// Identifies this run.
    var id: String
    /// The names of the two versions.
    var transition: String
    /// The fingerprints of the two models.
    var from: String
    var to: String
    /// The newer model as the text of a model file.
    var model: String
    /// The entity numbers of the newer model.
    var numbers: [String: Int]
    /// The hints for the transition.
    var renames: [String: String]
    var removed: [String]
    var conversions: [String: String]
    /// The plan that contains this transition, and its remaining segments.
    var reviewedPlan: ReviewedPlan
    var steps: [MigrationStep]
    /// The step that rolls the migration back before the last phase, and the parts that may have new data by then.
    var undo: MigrationStep
    var added: [String]
    /// The names of the parts that are removed.
    var losses: [String]
    /// Whether `Store.open` began the migration, in a program that has only its own model.
    var isAutomatic: Bool
    /// The names of the two versions, or nil if they were inferred from models.
    var names: Names?
    /// The last requested phase, or nil in records of older releases.
    var lastPhase: MigrationPhase?
    /// The path of the backup for this part of the migration or for all of it.
    var backup: String?
    /// The number of contradictions to the older model before the first step, by key; nil if the migration changes no values or an older
    /// release began it.
    var contradictionsBefore: [String: Int]?
    /// The tables that are verified; nil if none are, or if an older release began the migration, which then verifies all tables with the
    /// last step.
    var touched: TouchedTables?

    private enum CodingKeys: String, CodingKey {
        case id, transition, from, to, model, numbers, renames, removed, conversions
        // The name that stored records have.
        case reviewedPlan = "seal"
        case steps, undo, added, losses, isAutomatic, names, lastPhase, backup, contradictionsBefore, touched
    }

    struct Names: Codable, Sendable {
        var from: String
        var to: String
    }

    /// The last requested phase; in records of older releases, the last one.
    var wantedPhase: MigrationPhase { lastPhase ?? .contract }

    /// Returns the backfills that need a stage of the program, after a number of steps.
    func stages(after done: Int = 0) -> [MigrationStep.Fill] {
        steps.dropFirst(done).compactMap { step in
            if case .fill(let fill) = step.work, !fill.stage.isEmpty { fill } else { nil }
        }
    }
}

/// The digest of a plan and the part that remains.
struct ReviewedPlan: Codable, Sendable {
    /// The digest of the whole plan.
    var digest: String
    /// Whether the plan was reviewed, so that no other plan may run in its place.
    var isReviewed: Bool
    /// The digests of the remaining segments.
    var rest: [String]
}
