#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The statements that begin a transaction in one round trip; the last one reads the end of the history.
struct TransactionOpening {
    /// The statements before the last one.
    fileprivate let statements: [OpeningStatement]
    /// The query of the end of the history.
    fileprivate let clock: OpeningStatement
    /// The faster query for a connection that has read the history before; nil if there is none.
    fileprivate var quickClock: OpeningStatement?

    /// Returns the faster query for a connection that knows the history up to a number; nil if there is none.
    fileprivate func quickClock(after known: Int64) -> OpeningStatement? {
        // The query relies on the record of that number, and no record has the number 0.
        known > 0 ? quickClock : nil
    }
}

/// The statements that begin each kind of transaction.
///
/// Their parameter ``ClockQuery/known`` is the end of the history, as far as the connection knows it.
struct TransactionStart {
    /// The statements that begin a read transaction.
    ///
    /// The last statement is the first one that reads a table, so it takes the snapshot. If it waited for a lock, the snapshot would be
    /// older than the lock, and the transaction could read rows from before a migration in tables from after it. So a statement that
    /// reads nothing acquires the lock first.
    let reading: TransactionOpening
    private let writingOnSnapshot: TransactionOpening
    private let writingSerializably: TransactionOpening
    /// The statements that begin a write transaction without a query, for insertions in the same round trip.
    let writingBlindly: [String]
    /// The statement that fails if the store was replaced, for example by a restored backup, or migrated to another model.
    ///
    /// A transaction that begins without a query runs it.
    let checkingPlace: String
    /// The statements that begin a transaction for queries without acquiring locks first.
    let looking: [OpeningStatement]
    /// The query of the end of the history with a higher limit, for a transaction that has begun.
    fileprivate let longClock: OpeningStatement

    init(
        _ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID, isDistributed: Bool
    ) {
        let query = ClockQuery(configuration, fingerprint: fingerprint, storeID: storeID)
        // Waits for a migration that changes tables, and makes the next migration wait.
        let gate = "LOCK TABLE \(configuration.stored(StoreNames.models)) IN ACCESS SHARE MODE"
        // Waits for any migration, and makes the next one wait for the end of the transaction. The models are locked first, as by a
        // program that removes a store, which avoids deadlocks.
        let writersGate = [
            gate, "LOCK TABLE \(configuration.stored(StoreNames.history)) IN ROW EXCLUSIVE MODE",
        ]
        // A pooler may run the transaction in another session, and a node has its own, so the session's settings don't apply.
        let needsSettings = configuration.isPooled || isDistributed
        let settings =
            (isDistributed ? DistributedSchema.settings : [])
            + (needsSettings ? SessionSettings(configuration).transactionStatements : [])
        checkingPlace = "SELECT 1 / (CASE WHEN \(query.isInPlace) THEN 1 ELSE 0 END) FROM \(query.notes)"
            .replacingOccurrences(of: ClockQuery.known, with: "0")
        longClock = OpeningStatement(query.text(limit: ClockQuery.mostRecordsAtOnce))
        reading = Self.opening(
            ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] + settings + [gate],
            query.text(limit: ClockQuery.mostRecords), isDistributed ? nil : query.quickText())
        writingOnSnapshot = Self.opening(
            ["BEGIN ISOLATION LEVEL REPEATABLE READ"] + settings + writersGate,
            query.text(Self.transactionNumber, limit: ClockQuery.mostRecords),
            // Citus would plan each of its subqueries separately.
            isDistributed ? nil : query.quickText(Self.transactionNumber))
        let begin = ["BEGIN ISOLATION LEVEL SERIALIZABLE"] + settings + writersGate
        writingSerializably =
            needsSettings
            ? Self.opening(begin, query.text(Self.transactionNumber, limit: ClockQuery.mostRecords))
            : Self.opening(Self.clockBeforehand(query, gate) + begin, Self.rememberedClock(query))
        writingBlindly = ["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings + writersGate
        looking = (["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings).map(OpeningStatement.init)
    }

    private static let transactionNumber = "pg_catalog.pg_current_xact_id()::text"

    private static func opening(
        _ statements: [String], _ clock: String, _ quickClock: String? = nil
    ) -> TransactionOpening {
        TransactionOpening(
            statements: (statements + [PostgresConnection.setFirstSavepoint]).map(OpeningStatement.init),
            clock: OpeningStatement(clock), quickClock: quickClock.map(OpeningStatement.init))
    }

    /// Returns statements that read the end of the history before a serializable transaction, and store it in a setting of the session.
    ///
    /// Each commit inserts into the history, so it would conflict with a serializable transaction that has read its end. Behind a pooler
    /// or on a node the two transactions may run in different sessions, so these conflicts can't be avoided there.
    private static func clockBeforehand(_ query: ClockQuery, _ gate: String) -> [String] {
        [
            "BEGIN ISOLATION LEVEL READ COMMITTED", gate,
            """
            SELECT pg_catalog.set_config('contextcore.clock', concat_ws(',', \(query.answers.joined(separator: ", "))), false) \
            FROM \(query.source(limit: ClockQuery.mostRecordsAtOnce))
            """,
            "COMMIT",
        ]
    }

    /// Returns the query of the end of the history that ``clockBeforehand(_:_:)`` has stored.
    private static func rememberedClock(_ query: ClockQuery) -> String {
        let parts = (1...3).map {
            "pg_catalog.split_part(pg_catalog.current_setting('contextcore.clock'), ',', \($0))"
        }
        return """
            SELECT (CASE WHEN \(query.isInPlace) THEN \(parts[0]) ELSE '\(ClockQuery.superseded)' END), \(parts[1]), \(parts[2]), \
            \(transactionNumber) FROM \(query.notes)
            """
    }

    /// Returns the statements that begin a write transaction, whose last one takes the snapshot.
    ///
    /// Locks wait for a migration before the snapshot is taken. The last statement also returns the transaction ID, by which a later query
    /// finds out whether a commit succeeded whose result was lost.
    func writing(_ isolation: WriteIsolation) -> TransactionOpening {
        switch isolation {
        case .snapshot: writingOnSnapshot
        case .serializable: writingSerializably
        }
    }
}

extension PostgresStore {
    /// Begins a transaction, and reads the end of the history.
    ///
    /// - Parameter mayAskAgain: Whether more queries may follow if the first one hasn't read all records.
    func begin(
        _ opening: TransactionOpening, _ options: SessionOptions, from pool: PostgresPool? = nil,
        mayAskAgain: Bool = true
    ) throws(StoreError) -> (PostgresConnection, ClockReading) {
        let (connection, known, answer) = try beginAnswering(options, from: pool) { known in
            opening.statements + [known.flatMap(opening.quickClock(after:)) ?? opening.clock]
        }
        var clock: ClockReading
        do throws(StoreError) {
            let isWhole: Bool
            if let known, opening.quickClock(after: known) != nil {
                (clock, isWhole) = ClockReading.quick(answer, known: known)
            } else {
                clock = ClockReading(answer)
                isWhole = clock.recordCount < ClockQuery.mostRecords
            }
            clock.isFirst = known == nil
            if !isWhole, mayAskAgain { try readRest(of: &clock, on: connection) }
        } catch {
            if connection.isAlive { try? connection.execute("ROLLBACK") }
            (pool ?? self.pool).giveBack(connection)
            throw error
        }
        connection.gaplessEnds[number] = clock.end
        if pool == nil { upkeep.withLock { $0.see(clock, at: .now) } }
        return (connection, clock)
    }

    /// Reads the records that the first query of the history's end has not read, in the same snapshot.
    private func readRest(
        of clock: inout ClockReading, on connection: PostgresConnection
    ) throws(StoreError) {
        var isWhole = false
        while !isWhole {
            let next = ClockReading(try connection.runAll([start.longClock], historyEnd: clock.end))
            isWhole = next.end == clock.end
            (clock.end, clock.unsettled) = (next.end, next.unsettled)
        }
    }

    /// Begins a transaction and runs its first query in the same round trip.
    ///
    /// - Returns: nil if that isn't possible; no transaction is open then, and ``begin(_:_:from:mayAskAgain:)`` begins one or reports
    ///   the problem.
    /// - Throws: The error of the query, or of the wait for a migration; no transaction is open then.
    func begin<Answer>(
        _ opening: TransactionOpening, _ options: SessionOptions,
        with query: (PostgresConnection) throws -> Answer
    ) throws -> (PostgresConnection, ClockReading, Answer)? {
        // Without a pipeline the session would wait for a connection twice.
        guard opening.quickClock != nil, configuration.preparesStatements, !configuration.isPooled else {
            return nil
        }
        let connection = try pool.borrow(
            for: options.identifier, isCancellable: options.isCancellable)
        performHistoryTask(on: connection)
        do {
            if let known = connection.gaplessEnds[number], let quickClock = opening.quickClock(after: known),
                try connection.postOpening(opening.statements + [quickClock], known: known)
            {
                let answer = try query(connection)
                try connection.collect()
                if let posted = connection.opening, var clock = posted.clock {
                    if !posted.isWhole { try readRest(of: &clock, on: connection) }
                    connection.opening = nil
                    connection.gaplessEnds[number] = clock.end
                    upkeep.withLock { $0.see(clock, at: .now) }
                    return (connection, clock, answer)
                }
            }
            rollBackUnused(connection)
            pool.giveBack(connection)
            return nil
        } catch {
            let posted = connection.opening
            // If the store was replaced or migrated, the caller begins again without a pipeline, which reports it.
            let isFinal =
                posted?.isRead == true
                ? posted?.clock != nil
                : (error as? StoreError).map { $0.isOfTheWait || $0.code == .timeout } ?? true
            rollBackUnused(connection)
            // After the rollback: a failed transaction can't query which process holds the lock.
            let failure = (error as? StoreError)?.addingLockHolder(of: .migration, on: connection) ?? error
            let wasStale = connection.discardStalePreparedStatements()
            pool.giveBack(connection)
            if wasStale || !isFinal { return nil }
            throw failure
        }
    }

    /// Rolls back a transaction that the session doesn't use.
    private func rollBackUnused(_ connection: PostgresConnection) {
        (connection.isCancellable, connection.opening) = (false, nil)
        _ = try? connection.finishPipeline()
        connection.rollback()
    }

    /// Begins a transaction; returns the rows of its last statement, and the end of the history that the connection knew before.
    ///
    /// If the server has closed an idle connection, it uses another one, since no transaction has begun yet.
    func beginAnswering(
        _ options: SessionOptions, from otherPool: PostgresPool? = nil,
        _ statements: (_ known: Int64?) -> [OpeningStatement]
    ) throws(StoreError) -> (PostgresConnection, known: Int64?, PostgresResult) {
        let pool = otherPool ?? self.pool
        var attempts = 0
        while true {
            let connection = try pool.borrow(
                for: options.identifier, isCancellable: options.isCancellable)
            do throws(StoreError) {
                if otherPool == nil { performHistoryTask(on: connection) }
                let known = connection.gaplessEnds[number]
                let answer = try connection.runAll(statements(known), historyEnd: known ?? 0)
                if answer.number(0) == ClockQuery.superseded { throw try superseded(connection) }
                return (connection, known, answer)
            } catch let failure {
                connection.isCancellable = false
                if connection.isAlive { try? connection.execute("ROLLBACK") }
                let error =
                    failure.isMissingTable
                    ? .replacedStore(detail: failure.detail)
                    : failure.addingLockHolder(of: .migration, on: connection)
                let wasStale = connection.discardStalePreparedStatements()
                pool.giveBack(connection)
                if wasStale { continue }
                attempts += 1
                if error.code != .connectionLost || attempts > configuration.connections { throw error }
            }
        }
    }

    /// Performs the task of ``HistoryGapFilling`` that is due, if any.
    func performHistoryTask(on connection: PostgresConnection) {
        guard let work = upkeep.withLock({ $0.next(at: .now) }) else { return }
        if !work.perform(on: connection, of: self) { upkeep.withLock { $0.stop() } }
    }

    /// Reads the end of the history on a connection without an open transaction.
    func look(on connection: PostgresConnection) throws(StoreError) {
        let answer = try connection.runAll(
            start.reading.statements + [start.reading.clock], historyEnd: connection.gaplessEnds[number] ?? 0)
        try connection.execute("COMMIT")
        let clock = ClockReading(answer)
        if clock.end != ClockQuery.superseded { upkeep.withLock { $0.see(clock, at: .now) } }
    }

    /// Returns the error of a store that was replaced by another one, or migrated to another model.
    private func superseded(_ connection: PostgresConnection) throws(StoreError) -> StoreError {
        let catalogue = StoreCatalogue(connection: connection)
        let found = try catalogue.storeID()
        if found != storeID {
            return .replacedStore(detail: "The schema's store is \(found), the program's \(storeID).")
        }
        return CurrentModel(try catalogue.modelFingerprint()).superseded(model)
    }

    /// Begins a read transaction, if the options allow that on a replica that has all saves which this store has made or read.
    func beginReading(
        _ options: SessionOptions
    ) throws(StoreError) -> (PostgresPool, PostgresConnection, ClockReading) {
        if !options.requiresLatest, let replicas, let (connection, clock) = try replicas.begin(self, options)
        {
            return (replicas.pool, connection, clock)
        }
        let (connection, clock) = try begin(start.reading, options)
        recordClock(clock)
        return (pool, connection, clock)
    }
}

extension ClockReading {
    fileprivate init(_ answer: PostgresResult) {
        self.init(
            end: answer.number(0) ?? 0, unsettled: answer.numbers(1), base: answer.number(2) ?? 0,
            transaction: answer.number(3))
    }

    /// Returns the end of the history from the result of the faster query, and whether the query has read all records.
    static func quick(_ answer: PostgresResult, known: Int64) -> (ClockReading, isWhole: Bool) {
        var reading = ClockReading(end: known, base: known, transaction: answer.number(2))
        let numbers = answer.numbers(1)
        guard numbers.first == known else { return (reading, false) }
        let missing = numbers.indices.first { numbers[$0] != known + Int64($0) } ?? numbers.endIndex
        reading.end = numbers[missing - 1]
        reading.unsettled = Array(numbers[missing...])
        return (reading, numbers.count <= ClockQuery.mostRecords)
    }
}

extension PostgresResult {
    /// Returns the numbers that a column of the first row lists, separated by spaces.
    func numbers(_ place: Int) -> [Int64] {
        guard place < width, count > 0, !isNull(0, place) else { return [] }
        return text(0, place).split(separator: " ").compactMap { Int64($0) }
    }

    /// Returns the number in a text column of the first row; nil if there is none.
    func number(_ place: Int) -> Int64? {
        place < width && count > 0 && !isNull(0, place) ? Int64(text(0, place)) : nil
    }
}
#endif
