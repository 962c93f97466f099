extension ModelVersions {
    /// Refuses to take a store back by comparing it with a program's model.
    ///
    /// A program that knows only its own model doesn't know which versions came before it and which after. It is an older one where
    /// the store was of its model before, and where all that it would change is what an earlier migration did, the other way round.
    ///
    /// - Parameter models: The models that the store was of, the last one being in force.
    package func checkDirection(_ models: [StoredModel]) throws(StoreError) {
        guard infersFirst, models.last?.fingerprint != last.model.fingerprint, goesBack(models) else {
            return
        }
        throw StoreError(
            .modelMismatch,
            "The store has been migrated to another model since it was of the program's, or near it.",
            remedy:
                "Update the program, for a store never goes back; or, if its model is the newer one, run “storectl migrate apply” "
                + "with the versions of the model. Nothing was changed.",
            detail:
                "The store's model is \(models.last?.fingerprint ?? ""), the program's \(last.model.fingerprint)."
        )
    }

    private func goesBack(_ models: [StoredModel]) -> Bool {
        let earlier = models.dropLast()
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
