import ContextCore

/// A version of the model that isn't frozen yet, with the migration file whose target it is.
struct NewVersion {
    let version: ModelVersion
    /// The migration file from the version before; nil for the first version.
    let manifest: MigrationManifest?

    /// Creates the first version.
    init(first version: ModelVersion) {
        self.version = version
        manifest = nil
    }

    /// Creates a version that follows another one, after the user has decided what can't be inferred.
    ///
    /// - Parameters:
    ///   - version: The version, with the hints that are known.
    ///   - older: The version before.
    ///   - reasons: The reasons of accepted losses; those without effect are omitted.
    /// - Throws: ``AdminError``, or ``StoreError/Code/migrationRefused``, if a decision is missing.
    init(
        _ version: ModelVersion, after older: ModelVersion, reasons: [String: String],
        _ prompts: HintPrompts
    ) throws {
        var version = version
        version.hints = prompts.hints(version.hints, from: older.model, to: version.model)
        let transition = try ModelTransition(from: older, to: version)
        let undecided = transition.undecided.map(\.description)
        if !undecided.isEmpty {
            throw AdminError.refused(
                (["the migration needs a decision:"] + undecided).joined(separator: "\n"),
                hint: "Add --convert NAME=EXPRESSION, or a stage for \(version.name). Nothing was changed.")
        }
        let losses = transition.losses
        let known = reasons.filter { losses.contains($0.key) }
        let manifest = try MigrationManifest(
            transition, reasons: prompts.reasons(forLosing: losses, known, in: transition.name))
        version.hints = manifest.hints
        self.version = version
        self.manifest = manifest
    }
}
