extension ModelVersions {
    /// Refuses to take a store back by comparing it with a program's model.
    ///
    /// A program that knows only its own model doesn't know which versions came before it and which after. It is an older one where
    /// the store was of its model before somebody migrated it, and where all that it would change is what such a migration did, the
    /// other way round. What programs did by opening the store tells nothing: each of them may be the newer one.
    ///
    /// - Parameters:
    ///   - models: The models that the store was of, the last one being in force.
    ///   - automatic: The numbers of those that programs put in force by opening the store.
    package func checkDirection(_ models: [StoredModel], automatic: Set<Int>) throws(StoreError) {
        guard infersFirst, models.last?.fingerprint != last.model.fingerprint,
            !takesBack(models, automatic: automatic), goesBack(models, automatic)
        else { return }
        throw StoreError(
            .modelMismatch,
            "The store has been migrated to another model since it was of the program's, or near it.",
            remedy:
                "Update the program, for a store never goes back; or, if its model is the newer one, run “storectl migrate apply” "
                + "of the application's own storectl, or in the folder of its frozen versions. Nothing was changed.",
            detail:
                "The store's model is \(models.last?.fingerprint ?? ""), the program's \(last.model.fingerprint)."
        )
    }

    /// Whether the store was of the program's model until other programs changed it by opening it, and nobody has migrated it since.
    package func takesBack(_ models: [StoredModel], automatic: Set<Int>) -> Bool {
        infersFirst && models.last?.fingerprint != last.model.fingerprint
            && models[Self.decided(models, automatic)...].contains {
                $0.fingerprint == last.model.fingerprint
            }
    }

    /// Refuses to finish a migration to a model that is none of the versions, unless the program's model comes after it and nothing
    /// that the program lacks is needed.
    ///
    /// - Parameter isOpening: Whether nobody but the program itself asks for it.
    package func checkFinishing(_ state: MigrationState, isOpening: Bool) throws(StoreError) {
        guard let run = state.run else { return }
        let before = state.models.lastIndex { $0.fingerprint == run.origin }.map { state.models[...$0] } ?? []
        let newer = StoredModel(number: .max, fingerprint: run.fingerprint, fileText: run.fileText)
        guard infersFirst, !goesBack(before + [newer], []) else {
            throw StoreError(
                .migrationUnfinished,
                "The migration \(run.transition) was begun, to a version that is not asked for.",
                remedy:
                    "Finish it with the program of that version, or take it back with “storectl migrate rollback”."
            )
        }
        guard isOpening else { return }
        for case .fill(let fill) in run.steps.dropFirst(run.done).map(\.work) where !fill.stage.isEmpty {
            throw fill.stageMissing
        }
        if run.isShared, !run.losses.isEmpty {
            throw StoreError(
                .migrationUnfinished,
                "The last phase of the migration \(run.transition) is left, in which \(run.losses.joined(separator: ", ")) goes.",
                remedy: "Run “storectl migrate complete” once no program of the older version is used.")
        }
    }

    /// The place of the model that somebody has decided on, or the store was made with.
    private static func decided(_ models: [StoredModel], _ automatic: Set<Int>) -> Int {
        models.lastIndex { !automatic.contains($0.number) } ?? 0
    }

    private func goesBack(_ models: some BidirectionalCollection<StoredModel>, _ automatic: Set<Int>) -> Bool
    {
        let models = Array(models)
        let earlier = models[..<Self.decided(models, automatic)]
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

    /// Nothing where it can't be told what was renamed.
    private static func changes(from old: ObjectModel, to new: ObjectModel) -> Set<ModelChange> {
        Set((try? ModelDifference(from: old, to: new))?.changes ?? [])
    }
}

extension MigrationStep.Fill {
    /// What a program is told that hasn't got the stage which fills it.
    package var stageMissing: StoreError {
        StoreError(
            .migrationUnfinished,
            "The migration needs the program's stage that fills \(stage.joined(separator: ", ")) of \(entityName).",
            remedy:
                "Finish it with the program that has the stage, or take it back with “storectl migrate rollback”."
        )
    }
}
