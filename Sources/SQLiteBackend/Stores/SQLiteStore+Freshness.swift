#if SQLite
import ContextCore
import SQLStore

extension SQLiteStore {
    /// Returns the position of the last save that a transaction sees; must be its first query, because it starts the snapshot.
    ///
    /// If no other connection has committed since the last call, only this connection's own commits have changed the position.
    func lastSequence(_ connection: SQLiteConnection) throws(StoreError) -> Int64 {
        let version = try connection.integer(.dataVersion)
        if let cachedState = connection.cachedState, cachedState.version == version {
            return cachedState.sequence
        }
        let sequence = try readStoreState(connection)
        connection.cachedState = version.map { CachedStoreState(version: $0, sequence: sequence) }
        return sequence
    }

    /// Reads the last position, and checks that the model is still in force.
    ///
    /// Rows are always read from the database; only the mapping is kept across transactions, which only a migration changes.
    private func readStoreState(_ connection: SQLiteConnection) throws(StoreError) -> Int64 {
        let statement = try connection.statement(Self.stateQuery)
        defer { statement.reset() }
        try statement.bind(1, model.fingerprint)
        guard try statement.step(), statement.integer(1) == 1 else { throw try migratedError(connection) }
        return statement.integer(0)
    }

    private static let stateQuery = """
        SELECT (SELECT max("sequence") FROM "_store_history"), \
        ((SELECT "fingerprint" FROM "_store_models" ORDER BY "number" DESC LIMIT 1) = ?1 \
        OR EXISTS (SELECT 1 FROM "_store_metadata" WHERE "name" = 'shared_model' AND "value" = ?1))
        """

    private func migratedError(_ connection: SQLiteConnection) throws(StoreError) -> StoreError {
        CurrentModel(try StoreCatalog(connection: connection).modelFingerprint()).supersededError(model)
    }
}
#endif
