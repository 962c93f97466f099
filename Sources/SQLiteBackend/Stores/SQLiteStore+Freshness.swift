#if SQLite
import ContextCore

extension SQLiteStore {
    /// Checks, at the beginning of a transaction, that what is known of the store still holds.
    ///
    /// SQLite tells a connection for nothing whether anybody else has committed since it last asked
    /// (<https://sqlite.org/pragma.html#pragma_data_version>). Rows are read anew in any case; what is kept beyond a transaction is how
    /// the model lies in tables, which only a migration changes.
    func refresh(_ connection: SQLiteConnection) throws(StoreError) {
        let version = try connection.integer("PRAGMA data_version")
        if version == connection.dataVersion { return }
        let fingerprint = try StoreCatalogue(connection: connection).modelFingerprint()
        guard fingerprint == model.fingerprint else {
            throw StoreError(
                .modelMismatch, "Another process has migrated the store to another model.",
                remedy: "Close it, and open it with that model; nothing of what was committed is lost.",
                detail: "The store's model is \(fingerprint), the program's \(model.fingerprint).")
        }
        connection.dataVersion = version
    }
}
#endif
