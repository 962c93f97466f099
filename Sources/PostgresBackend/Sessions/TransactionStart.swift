#if Postgres
import ContextCore
import Foundation
import SQLStore

/// What the store's clock says where a transaction begins.
struct ClockReading {
    /// The number of the last save.
    let sequence: Int64
    /// The transaction's number on the server, for one that writes.
    let transaction: Int64?
}

/// The statements that begin transactions, each kind in one round trip; the last of them answers the store's clock.
struct TransactionStart {
    /// What the clock answers where the schema holds another store now, or one with another model.
    fileprivate static let superseded: Int64 = -1

    /// Begins to read.
    ///
    /// The last statement is the first to look at the store, and so pins the moment that is seen. It would pin it before it waits for a
    /// lock, and see rows of before a migration in tables of afterwards: so the lock is taken first, which looks at nothing.
    let reading: [String]
    private let writingOnSnapshot: [String]
    private let writingSerializably: [String]
    /// Begins to write rows that are new without asking for anything, so that they can follow at once.
    let writingBlindly: [String]
    /// Waits for other commits, keeps others from committing until this transaction's end, and rings for other processes at its commit.
    ///
    /// What is committed is numbered in that order.
    let numbering: String
    /// Does the same where nothing was asked for at the beginning: it fails where another store has taken this one's place, as a restored
    /// backup does, or where the store was migrated to another model.
    let numberingAhead: String
    /// Looks without waiting for anybody.
    let looking: [String]

    init(
        _ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID, channel: DoorbellChannel
    ) {
        let dialect = configuration.dialect
        let models = dialect.stored(StoreNames.models)
        let metadata = dialect.stored(StoreNames.metadata)
        let lockNumber = PostgresStore.lockNumber(of: storeID)
        let isInPlace = """
            EXISTS (SELECT 1 FROM \(metadata) WHERE "name" = 'store_id' AND "value" = '\(storeID.uuidString)') \
            AND ((SELECT "fingerprint" FROM \(models) ORDER BY "number" DESC LIMIT 1) = '\(fingerprint)' \
            OR EXISTS (SELECT 1 FROM \(metadata) WHERE "name" = '\(ModelInForce.sharedNote)' AND "value" = '\(fingerprint)'))
            """
        let history = dialect.stored(StoreNames.history)
        // The answer has to be a number, also where there is no such store anymore.
        let clock = """
            (CASE WHEN \(isInPlace) THEN (SELECT coalesce(max("sequence"), 0) FROM \(history)) ELSE \(Self.superseded) END)::text
            """
        // Waits for a migration that changes tables, and makes the next one wait.
        let gate = "LOCK TABLE \(models) IN ACCESS SHARE MODE"
        // Waits for any migration, and makes the next one wait until the end of the transaction. Those who remove a store lock the models
        // first too.
        let writersGate = [gate, "LOCK TABLE \(history) IN ROW EXCLUSIVE MODE"]
        // What a transaction has to set that shares its connection with others'.
        let settings = configuration.isPooled ? SessionSettings(configuration).transactionStatements : []
        let lock = "SELECT pg_catalog.pg_advisory_xact_lock(\(lockNumber))"
        numbering = configuration.notifies ? "\(lock), \(channel.ringingCall)" : lock
        numberingAhead = """
            \(numbering) FROM (SELECT 1 / (CASE WHEN \(isInPlace) THEN 1 ELSE 0 END) AS "one") AS "place" WHERE "one" = 1
            """
        reading =
            ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] + settings
            + [gate, PostgresConnection.firstMark, "SELECT \(clock)"]
        let number = "pg_catalog.pg_current_xact_id()::text"
        let looks = [PostgresConnection.firstMark, "SELECT \(clock), \(number)"]
        writingOnSnapshot = ["BEGIN ISOLATION LEVEL REPEATABLE READ"] + settings + writersGate + looks
        // Each commit writes into the history, so it would overtake every serializable transaction that has read the history's end. Such a
        // transaction reads that before it begins, unless a pooler may give its two parts different sessions.
        let begin = ["BEGIN ISOLATION LEVEL SERIALIZABLE"] + settings + writersGate
        writingSerializably =
            configuration.isPooled
            ? begin + looks
            : [
                "BEGIN ISOLATION LEVEL READ COMMITTED", gate,
                "SELECT pg_catalog.set_config('contextcore.clock', \(clock), false)", "COMMIT",
            ] + begin + [
                PostgresConnection.firstMark,
                """
                SELECT (CASE WHEN \(isInPlace) THEN pg_catalog.current_setting('contextcore.clock') ELSE '\(Self.superseded)' END), \(number)
                """,
            ]
        writingBlindly = ["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings + writersGate
        looking = ["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings
    }

    /// Begins to write, on the snapshot that the last statement takes.
    ///
    /// A migration is waited for before, by a lock that looks at nothing. The transaction's number is asked for at once, since it would
    /// be late to ask when the answer to a commit is lost.
    func writing(_ isolation: WriteIsolation) -> [String] {
        switch isolation {
        case .snapshot: writingOnSnapshot
        case .serializable: writingSerializably
        }
    }
}

extension PostgresStore {
    /// Begins a transaction by statements of which the last answers what the clock says.
    ///
    /// A connection that was idle may have been cut meanwhile; then another is taken, since nothing was begun yet.
    func begin(
        _ statements: [String], _ options: SessionOptions, from pool: PostgresPool? = nil
    ) throws(StoreError) -> (PostgresConnection, ClockReading) {
        let pool = pool ?? self.pool
        var attempts = 0
        while true {
            let connection = try pool.take(
                for: options.identifier, heedsCancellation: options.heedsCancellation)
            do throws(StoreError) {
                let answer = try connection.runAll(statements)
                let reading = ClockReading(
                    sequence: answer.number(0) ?? 0, transaction: answer.number(1))
                if reading.sequence == TransactionStart.superseded { throw try superseded(connection) }
                return (connection, reading)
            } catch let failure {
                connection.heedsCancellation = false
                if connection.isAlive { try? connection.execute("ROLLBACK") }
                let error =
                    failure.isOfMissingTable
                    ? .replacedStore(detail: failure.detail)
                    : failure.namingHolder(of: .turn, lockNumber, on: connection)
                let wasStale = connection.takeStaleness()
                pool.giveBack(connection)
                if wasStale { continue }
                attempts += 1
                if error.code != .connectionLost || attempts > configuration.connections { throw error }
            }
        }
    }

    /// The error of a program whose store was replaced by another one, or migrated to another model.
    private func superseded(_ connection: PostgresConnection) throws(StoreError) -> StoreError {
        let catalogue = StoreCatalogue(connection: connection)
        let found = try catalogue.storeID()
        if found != storeID {
            return .replacedStore(detail: "The schema's store is \(found), the program's \(storeID).")
        }
        return ModelInForce(try catalogue.modelFingerprint()).superseded(model)
    }

    /// Begins to read, on a replica if there is one that knows what this store knows, and that is enough.
    func beginReading(
        _ options: SessionOptions
    ) throws(StoreError) -> (PostgresPool, PostgresConnection, Int64) {
        if !options.seesNewest, let replicas, let (connection, sequence) = try replicas.begin(self, options) {
            return (replicas.pool, connection, sequence)
        }
        let (connection, clock) = try begin(start.reading, options)
        note(seen: clock.sequence)
        replicas?.note(clock.sequence)
        return (pool, connection, clock.sequence)
    }
}

extension PostgresResult {
    /// The number that a column of the first row spells; nil where there is none.
    fileprivate func number(_ place: Int) -> Int64? {
        place < width && count > 0 && !isNull(0, place) ? Int64(text(0, place)) : nil
    }
}
#endif
