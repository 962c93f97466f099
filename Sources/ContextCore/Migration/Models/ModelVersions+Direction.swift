extension ModelVersions {
    /// Throws if a comparison with the program's model would migrate the store back to an earlier model.
    ///
    /// A program that knows only its own model doesn't know which models precede it. Its model is an earlier one if the store had it before
    /// an explicit migration, or if all changes that the program would make revert changes of such a migration. Automatic migrations
    /// don't count: each of the programs that open a store may be the newer one.
    ///
    /// - Parameters:
    ///   - models: The models that the store has had; the last one is current.
    ///   - automatic: The numbers of the models to which the store was migrated automatically.
    package func checkDirection(_ models: [StoredModel], automatic: Set<Int>) throws(StoreError) {
        guard infersFirst, models.last?.fingerprint != last.model.fingerprint,
            !revertsAutomaticMigration(models, automatic: automatic), revertsToEarlierModel(models, automatic)
        else { return }
        throw StoreError(
            .modelMismatch,
            "The store was migrated to another model after it had the program's model, or a similar one.",
            remedy:
                "Update the program: a store can't go back to an earlier model. If its model is the newer one, run 'storectl migrate apply' "
                + "of the application's own storectl, or in the folder of its frozen model versions. Nothing was changed.",
            detail:
                "The store's model is \(models.last?.fingerprint ?? ""), the program's \(last.model.fingerprint)."
        )
    }

    /// Whether the store had the program's model before automatic migrations of other programs, without an explicit migration since.
    package func revertsAutomaticMigration(_ models: [StoredModel], automatic: Set<Int>) -> Bool {
        infersFirst && models.last?.fingerprint != last.model.fingerprint
            && models[Self.lastExplicitIndex(models, automatic)...].contains {
                $0.fingerprint == last.model.fingerprint
            }
    }

    /// Throws if the program can't finish a migration to a model that is none of its versions: because the program's model isn't later,
    /// or because a stage or a decision is missing.
    ///
    /// - Parameter isOpening: Whether the program finishes it automatically, when it opens the store.
    package func checkFinishing(_ state: MigrationState, isOpening: Bool) throws(StoreError) {
        guard let run = state.run else { return }
        let before = state.models.lastIndex { $0.fingerprint == run.origin }.map { state.models[...$0] } ?? []
        let newer = StoredModel(number: .max, fingerprint: run.fingerprint, fileText: run.fileText)
        guard infersFirst, !revertsToEarlierModel(before + [newer], []) else {
            throw StoreError(
                .migrationUnfinished,
                "The migration \(run.transition) is unfinished, and its target isn't the requested version.",
                remedy:
                    "Finish it with the program of that version, or roll it back with 'storectl migrate rollback'."
            )
        }
        guard isOpening else { return }
        for case .fill(let fill) in run.steps.dropFirst(run.done).map(\.work) where !fill.stage.isEmpty {
            throw fill.missingStageError
        }
        if run.isShared, !run.losses.isEmpty {
            throw StoreError(
                .migrationUnfinished,
                "The last phase of the migration \(run.transition), which removes \(run.losses.joined(separator: ", ")), wasn't run.",
                remedy: "Run 'storectl migrate complete' when no program of the older version is in use.")
        }
    }

    /// Returns the index of the last model to which the store was migrated explicitly, or with which it was created.
    private static func lastExplicitIndex(_ models: [StoredModel], _ automatic: Set<Int>) -> Int {
        models.lastIndex { !automatic.contains($0.number) } ?? 0
    }

    private func revertsToEarlierModel(
        _ models: some BidirectionalCollection<StoredModel>, _ automatic: Set<Int>
    ) -> Bool {
        let models = Array(models)
        let earlier = models[..<Self.lastExplicitIndex(models, automatic)]
        if earlier.contains(where: { $0.fingerprint == last.model.fingerprint }) { return true }
        guard let current = models.last.flatMap(Self.model) else { return false }
        let changes = Self.changes(from: current, to: last.model)
        if changes.isEmpty { return false }
        return earlier.compactMap(Self.model).contains {
            changes.isSubset(of: Self.changes(from: current, to: $0))
        }
    }

    private static func model(_ stored: StoredModel) -> ObjectModel? {
        try? ObjectModel(fileText: stored.fileText)
    }

    /// Returns the changes between two models; an empty set if the renames can't be inferred.
    private static func changes(from old: ObjectModel, to new: ObjectModel) -> Set<ModelChange> {
        Set((try? ModelDifference(from: old, to: new))?.changes ?? [])
    }
}

extension MigrationStep.Fill {
    /// The error for a program that lacks the stage of the fill.
    package var missingStageError: StoreError {
        StoreError(
            .migrationUnfinished,
            "The migration needs the program's stage that fills \(stage.joined(separator: ", ")) of \(entityName).",
            remedy:
                "Finish it with the program that has the stage, or roll it back with 'storectl migrate rollback'."
        )
    }
}
