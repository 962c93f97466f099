package import ContextCore

/// The fingerprint of a store's current model, as the store records it.
package struct CurrentModel {
    /// The metadata key of the older model's fingerprint while programs of both versions may use the store.
    package static let sharedModelKey = MigrationMetadata.sharedModel

    private let fingerprint: String

    package init(_ fingerprint: String) {
        self.fingerprint = fingerprint
    }

    /// Throws if a program can't open the store with a model.
    ///
    /// - Parameter shared: Reads the fingerprint of the model that programs can use too: between the expand and contract phases of a
    ///   migration, programs of both versions can use the store.
    package func check(
        _ model: ObjectModel, orShared shared: () throws(StoreError) -> String?
    ) throws(StoreError) {
        if fingerprint == model.fingerprint { return }
        if try shared() == model.fingerprint { return }
        throw mismatchError(model)
    }

    /// Returns the error for a program that opens the store with another model.
    private func mismatchError(_ model: ObjectModel) -> StoreError {
        if fingerprint.hasPrefix(RunRecord.unfinished) {
            return StoreError(
                .migrationUnfinished, "A migration of the store is unfinished.",
                remedy:
                    "Finish it with 'storectl migrate resume' or with the program that began it, or roll it back with "
                    + "'storectl migrate rollback'.",
                detail: "The store's model is \(fingerprint).")
        }
        return StoreError(
            .modelMismatch, "The store was created with another model.",
            remedy:
                "Migrate the store, or open it with the model that it was created with. Nothing was changed.",
            detail: "The store's model is \(fingerprint), the program's \(model.fingerprint).")
    }

    /// Returns the error for a program that has the store open while another process migrates it.
    package func supersededError(_ model: ObjectModel) -> StoreError {
        StoreError(
            .modelMismatch, "Another process migrated the store to another model.",
            remedy: "Close the store, and open it with that model. Committed changes are not lost.",
            detail: "The store's model is \(fingerprint), the program's \(model.fingerprint).")
    }
}
