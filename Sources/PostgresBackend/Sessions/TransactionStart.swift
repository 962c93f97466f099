#if Postgres
import ContextCore
import SQLStore

/// The statements that begin transactions, each kind in one round trip; the last of them answers the store's clock.
struct TransactionStart {
    /// What the clock answers where the store was migrated to another model.
    static let superseded: Int64 = -1

    private let lockNumber: Int64
    private let isolation: PostgresConfiguration.Isolation
    /// Asks for the number of the last save, and whether the program's model is in force: what it answers otherwise is no number.
    private let clock: String
    /// Waits for a migration that changes tables, and makes the next one wait.
    private let gate: String
    /// What a transaction has to set that shares its connection with others'.
    private let settings: String

    init(_ store: PostgresStore) {
        let stored = store.configuration.stored
        clock = """
            SELECT CASE WHEN (SELECT "fingerprint" FROM \(stored(StoreNames.models)) ORDER BY "number" DESC LIMIT 1) = '\(store.fingerprint)' \
            OR EXISTS (SELECT 1 FROM \(stored(StoreNames.metadata)) WHERE "name" = '\(ModelInForce.sharedNote)' AND "value" = '\(store.fingerprint)') \
            THEN (SELECT coalesce(max("sequence"), 0) FROM \(store.history)) ELSE \(Self.superseded) END
            """
        gate = "LOCK TABLE \(stored(StoreNames.models)) IN ACCESS SHARE MODE"
        lockNumber = store.lockNumber
        isolation = store.configuration.isolation
        settings =
            store.configuration.isPooled
            ? SessionSettings(store.configuration).transactionStatements + "; " : ""
    }

    /// Begins to read.
    ///
    /// The last statement is the first to look at the store, and so pins the moment that is seen. It would pin it before it waits for a
    /// lock, and see rows of before a migration in tables of afterwards: so the lock is taken first, which looks at nothing.
    var reading: String {
        """
        BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(settings)\(gate); \(PostgresConnection.firstMark); \(clock)
        """
    }

    /// Waits for its turn and begins to write.
    var writing: String {
        switch isolation {
        case .readCommitted:
            """
            BEGIN ISOLATION LEVEL READ COMMITTED; \(settings)SELECT pg_catalog.pg_advisory_xact_lock(\(lockNumber)); \
            \(PostgresConnection.firstMark); \(clock)
            """
        case .serializable:
            // What such a transaction sees is pinned before it waits for a lock, so the session gets the lock first, and lets it go
            // as soon as the transaction has it too.
            """
            BEGIN; \(settings)SELECT pg_catalog.pg_advisory_lock(\(lockNumber)); COMMIT; \
            BEGIN ISOLATION LEVEL SERIALIZABLE; \(settings)SELECT pg_catalog.pg_advisory_xact_lock(\(lockNumber)); \
            SELECT pg_catalog.pg_advisory_unlock(\(lockNumber)); \(PostgresConnection.firstMark); \(clock)
            """
        }
    }

    /// Undoes what may be left of a beginning that failed.
    var undoing: String {
        isolation == .serializable
            ? "ROLLBACK; SELECT pg_catalog.pg_advisory_unlock(\(lockNumber))" : "ROLLBACK"
    }

    /// Waits for the end of whoever writes, a moment at most, to see what has become of it.
    var following: String {
        """
        BEGIN; \(settings)SET LOCAL lock_timeout = 2000; SELECT pg_catalog.pg_advisory_xact_lock(\(lockNumber))
        """
    }
}

extension PostgresStore {
    /// Begins a transaction by statements of which the last answers a number.
    ///
    /// A connection that was idle may have been cut meanwhile; then another is taken, since nothing was begun yet.
    func begin(
        _ sql: String, _ options: SessionOptions, from pool: ConnectionPool? = nil
    ) throws(StoreError) -> (PostgresConnection, Int64) {
        let pool = pool ?? self.pool
        var attempts = 0
        while true {
            let connection = try pool.take(
                for: options.identifier, heedsCancellation: options.heedsCancellation)
            do throws(StoreError) {
                let sequence = try connection.integer(sql) ?? 0
                if sequence == TransactionStart.superseded { throw try superseded(connection) }
                return (connection, sequence)
            } catch {
                connection.heedsCancellation = false
                if connection.isAlive { try? connection.execute(TransactionStart(self).undoing) }
                pool.giveBack(connection)
                attempts += 1
                if error.code != .connectionLost || attempts > configuration.connections { throw error }
            }
        }
    }

    private func superseded(_ connection: PostgresConnection) throws(StoreError) -> StoreError {
        ModelInForce(try StoreCatalogue(connection: connection).modelFingerprint()).superseded(model)
    }

    /// Begins to read, on a replica if there is one that knows what this store knows, and that is enough.
    func beginReading(
        _ options: SessionOptions
    ) throws(StoreError) -> (ConnectionPool, PostgresConnection, Int64) {
        if !options.seesNewest, let replicas, let (connection, sequence) = try replicas.begin(self, options) {
            return (replicas.pool, connection, sequence)
        }
        let (connection, sequence) = try begin(TransactionStart(self).reading, options)
        replicas?.note(sequence)
        return (pool, connection, sequence)
    }
}
#endif
