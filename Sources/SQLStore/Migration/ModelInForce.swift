package import ContextCore

/// The fingerprint of the model that is in force in a store, as it is noted there.
package struct ModelInForce {
    /// The note with the fingerprint of the older model, while programs of both versions may use the store.
    package static let sharedNote = MigrationNotes.sharedModel

    private let fingerprint: String

    package init(_ fingerprint: String) {
        self.fingerprint = fingerprint
    }

    /// Why a program with another model can't open the store.
    package func mismatch(_ model: ObjectModel) -> StoreError {
        if fingerprint.hasPrefix(RunRecord.unfinished) {
            return StoreError(
                .migrationUnfinished, "A migration of the store was begun and is not finished.",
                remedy:
                    "Finish it with “storectl migrate resume” or with the program that began it, or take it back with "
                    + "“storectl migrate rollback”.",
                detail: "The store's model is \(fingerprint).")
        }
        return StoreError(
            .modelMismatch, "The store was made with another model.",
            remedy:
                "Migrate the store, or open it with the model that it was made with; nothing was changed.",
            detail: "The store's model is \(fingerprint), the program's \(model.fingerprint).")
    }

    /// What a program hears whose store was migrated while it had it open.
    package func superseded(_ model: ObjectModel) -> StoreError {
        StoreError(
            .modelMismatch, "Another process has migrated the store to another model.",
            remedy: "Close it, and open it with that model; nothing of what was committed is lost.",
            detail: "The store's model is \(fingerprint), the program's \(model.fingerprint).")
    }
}
