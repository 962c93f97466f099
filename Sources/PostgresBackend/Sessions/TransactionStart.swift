#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The statements that begin a transaction in one round trip; the last one reads the end of the history.
struct TransactionStatements {
    /// The statements before the last one.
    fileprivate let statements: [StartStatement]
    /// The query of the end of the history.
    fileprivate let query: StartStatement
    /// The faster query for a connection that has read the history before; nil if there is none.
    fileprivate var quickQuery: StartStatement?

    /// Returns the faster query for a connection that knows the history up to a number; nil if there is none.
    fileprivate func quickQuery(after knownEnd: Int64) -> StartStatement? {
        // The query relies on the record of that number, and no record has the number 0.
        knownEnd > 0 ? quickQuery : nil
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
    let reading: TransactionStatements
    /// The statements that begin a read transaction whose queries fail where row security would hide rows.
    private let readingAllRows: TransactionStatements
    private let writingOnSnapshot: TransactionStatements
    private let writingSerializably: TransactionStatements
    /// The statements that begin a write transaction without a query, for insertions in the same round trip.
    let insertingOnly: [String]
    /// The statement that fails if the store was replaced, for example by a restored backup, or migrated to another model.
    ///
    /// A transaction that begins without a query runs it.
    let storeCheck: String
    /// The statements that begin a transaction for queries without acquiring locks first.
    let readingWithoutLocks: [StartStatement]
    /// The query of the end of the history with a higher limit, for a transaction that has begun.
    fileprivate let longQuery: StartStatement

    init(
        _ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID, isDistributed: Bool
    ) {
        let query = HistoryEndQuery(configuration, fingerprint: fingerprint, storeID: storeID)
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
        storeCheck =
            "SELECT 1 / (CASE WHEN \(query.isCurrentCondition) THEN 1 ELSE 0 END) FROM \(query.notes)"
            .replacingOccurrences(of: HistoryEndQuery.knownEnd, with: "0")
        longQuery = StartStatement(query.text(limit: HistoryEndQuery.maximumRecordsOfLongQuery))
        let beginReading = ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] + settings
        let historyEnd = query.text(limit: HistoryEndQuery.maximumRecords)
        let quickHistoryEnd = isDistributed ? nil : query.quickQueryText()
        reading = Self.opening(beginReading + [gate], historyEnd, quickHistoryEnd)
        // Before the first savepoint, because a rollback to it would restore the setting.
        readingAllRows = Self.opening(
            beginReading + ["SET LOCAL row_security = off", gate], historyEnd, quickHistoryEnd)
        writingOnSnapshot = Self.opening(
            ["BEGIN ISOLATION LEVEL REPEATABLE READ"] + settings + writersGate,
            query.text(Self.transactionNumber, limit: HistoryEndQuery.maximumRecords),
            // Citus would plan each of its subqueries separately.
            isDistributed ? nil : query.quickQueryText(Self.transactionNumber))
        let begin = ["BEGIN ISOLATION LEVEL SERIALIZABLE"] + settings + writersGate
        writingSerializably =
            needsSettings
            ? Self.opening(begin, query.text(Self.transactionNumber, limit: HistoryEndQuery.maximumRecords))
            : Self.opening(Self.historyEndBeforehand(query, gate) + begin, Self.storedHistoryEndQuery(query))
        insertingOnly = ["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings + writersGate
        readingWithoutLocks = (["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings).map(StartStatement.init)
    }

    private static let transactionNumber = "pg_catalog.pg_current_xact_id()::text"

    private static func opening(
        _ statements: [String], _ query: String, _ quickQuery: String? = nil
    ) -> TransactionStatements {
        TransactionStatements(
            statements: (statements + [SavepointStack.setFirst]).map(StartStatement.init),
            query: StartStatement(query), quickQuery: quickQuery.map(StartStatement.init))
    }

    /// Returns statements that read the end of the history before a serializable transaction, and store it in a setting of the session.
    ///
    /// Each commit inserts into the history, so it would conflict with a serializable transaction that has read its end. Behind a pooler
    /// or on a node the two transactions may run in different sessions, so these conflicts can't be avoided there.
    private static func historyEndBeforehand(_ query: HistoryEndQuery, _ gate: String) -> [String] {
        [
            "BEGIN ISOLATION LEVEL READ COMMITTED", gate,
            """
            SELECT pg_catalog.set_config('contextcore.clock', concat_ws(',', \(query.resultColumns.joined(separator: ", "))), false) \
            FROM \(query.fromClause(limit: HistoryEndQuery.maximumRecordsOfLongQuery))
            """,
            "COMMIT",
        ]
    }

    /// Returns the query of the end of the history that ``clockBeforehand(_:_:)`` has stored.
    private static func storedHistoryEndQuery(_ query: HistoryEndQuery) -> String {
        let parts = (1...3).map {
            "pg_catalog.split_part(pg_catalog.current_setting('contextcore.clock'), ',', \($0))"
        }
        return """
            SELECT (CASE WHEN \(query.isCurrentCondition) THEN \(parts[0]) ELSE '\(HistoryEndQuery.superseded)' END), \(parts[1]), \(parts[2]), \
            \(transactionNumber) FROM \(query.notes)
            """
    }

    /// Returns the statements that begin a read transaction.
    func reading(with options: SessionOptions) -> TransactionStatements {
        options.requiresAllRows ? readingAllRows : reading
    }

    /// Returns the statements that begin a write transaction, whose last one takes the snapshot.
    ///
    /// Locks wait for a migration before the snapshot is taken. The last statement also returns the transaction ID, by which a later query
    /// finds out whether a commit succeeded whose result was lost.
    func writing(_ isolation: WriteIsolation) -> TransactionStatements {
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
        _ opening: TransactionStatements, _ options: SessionOptions, from pool: PostgresPool? = nil,
        mayQueryAgain: Bool = true
    ) throws(StoreError) -> (PostgresConnection, HistoryEnd) {
        let (connection, knownEnd, answer) = try beginReturningResult(options, from: pool) { knownEnd in
            opening.statements + [knownEnd.flatMap(opening.quickQuery(after:)) ?? opening.query]
        }
        var historyEnd: HistoryEnd
        do throws(StoreError) {
            let isComplete: Bool
            if let knownEnd, opening.quickQuery(after: knownEnd) != nil {
                (historyEnd, isComplete) = HistoryEnd.quick(answer, knownEnd: knownEnd)
            } else {
                historyEnd = HistoryEnd(answer)
                isComplete = historyEnd.recordCount < HistoryEndQuery.maximumRecords
            }
            historyEnd.isFirst = knownEnd == nil
            if !isComplete, mayQueryAgain { try readRest(of: &historyEnd, on: connection) }
        } catch {
            if connection.isAlive { try? connection.execute("ROLLBACK") }
            (pool ?? self.pool).returnConnection(connection)
            throw error
        }
        connection.recordGaplessEnd(historyEnd.end, of: number)
        if pool == nil { gapFilling.withLock { $0.update(with: historyEnd, at: .now) } }
        return (connection, historyEnd)
    }

    /// Reads the records that the first query of the history's end has not read, in the same snapshot.
    private func readRest(
        of historyEnd: inout HistoryEnd, on connection: PostgresConnection
    ) throws(StoreError) {
        var isComplete = false
        while !isComplete {
            let next = HistoryEnd(try connection.runAll([start.longQuery], historyEnd: historyEnd.end))
            isComplete = next.end == historyEnd.end
            (historyEnd.end, historyEnd.unsettled) = (next.end, next.unsettled)
        }
    }

    /// Begins a transaction and runs its first query in the same round trip.
    ///
    /// - Returns: nil if that isn't possible; no transaction is open then, and ``begin(_:_:from:mayAskAgain:)`` begins one or reports
    ///   the problem.
    /// - Throws: The error of the query, or of the wait for a migration; no transaction is open then.
    func begin<Answer>(
        _ opening: TransactionStatements, _ options: SessionOptions,
        with query: (PostgresConnection) throws -> Answer
    ) throws -> (PostgresConnection, HistoryEnd, Answer)? {
        // Without a pipeline the session would wait for a connection twice.
        guard opening.quickQuery != nil, configuration.preparesStatements, !configuration.isPooled else {
            return nil
        }
        let connection = try pool.borrow(
            for: options.identifier, isCancellable: options.isCancellable)
        performHistoryTask(on: connection)
        do {
            if let knownEnd = connection.gaplessEnds[number],
                let quickQuery = opening.quickQuery(after: knownEnd),
                try connection.sendStartInPipeline(opening.statements + [quickQuery], knownEnd: knownEnd)
            {
                let answer = try query(connection)
                try connection.collect()
                if let posted = connection.pipeline.transactionStart, var historyEnd = posted.historyEnd {
                    if !posted.isComplete { try readRest(of: &historyEnd, on: connection) }
                    connection.endPipelinedStart()
                    connection.recordGaplessEnd(historyEnd.end, of: number)
                    gapFilling.withLock { $0.update(with: historyEnd, at: .now) }
                    return (connection, historyEnd, answer)
                }
            }
            rollBackUnused(connection)
            pool.returnConnection(connection)
            return nil
        } catch {
            let posted = connection.pipeline.transactionStart
            // If the store was replaced or migrated, the caller begins again without a pipeline, which reports it.
            let isFinal =
                posted?.isRead == true
                ? posted?.historyEnd != nil
                : (error as? StoreError).map { $0.isWaitFailure || $0.code == .timeout } ?? true
            rollBackUnused(connection)
            // After the rollback: a failed transaction can't query which process holds the lock.
            let failure = (error as? StoreError)?.addingLockHolder(of: .migration, on: connection) ?? error
            let wasStale = connection.discardStalePreparedStatements()
            pool.returnConnection(connection)
            if wasStale || !isFinal { return nil }
            throw failure
        }
    }

    /// Rolls back a transaction that the session doesn't use.
    private func rollBackUnused(_ connection: PostgresConnection) {
        connection.setCancellationScope(.nothing)
        connection.endPipelinedStart()
        _ = try? connection.finishPipeline()
        connection.rollback()
    }

    /// Begins a transaction; returns the rows of its last statement, and the end of the history that the connection knew before.
    ///
    /// If the server has closed an idle connection, it uses another one, since no transaction has begun yet.
    func beginReturningResult(
        _ options: SessionOptions, from otherPool: PostgresPool? = nil,
        _ statements: (_ knownEnd: Int64?) -> [StartStatement]
    ) throws(StoreError) -> (PostgresConnection, knownEnd: Int64?, PostgresResult) {
        let pool = otherPool ?? self.pool
        var attempts = 0
        while true {
            let connection = try pool.borrow(
                for: options.identifier, isCancellable: options.isCancellable)
            do throws(StoreError) {
                if otherPool == nil { performHistoryTask(on: connection) }
                let knownEnd = connection.gaplessEnds[number]
                let answer = try connection.runAll(statements(knownEnd), historyEnd: knownEnd ?? 0)
                if answer.number(0) == HistoryEndQuery.superseded { throw try supersededError(connection) }
                return (connection, knownEnd, answer)
            } catch let failure {
                connection.setCancellationScope(.nothing)
                if connection.isAlive { try? connection.execute("ROLLBACK") }
                let error =
                    failure.isMissingTable
                    ? .replacedStoreError(detail: failure.detail)
                    : failure.addingLockHolder(of: .migration, on: connection)
                let wasStale = connection.discardStalePreparedStatements()
                pool.returnConnection(connection)
                if wasStale { continue }
                attempts += 1
                if error.code != .connectionLost || attempts > configuration.connections { throw error }
            }
        }
    }

    /// Performs the task of ``HistoryGapFilling`` that is due, if any.
    func performHistoryTask(on connection: PostgresConnection) {
        guard let work = gapFilling.withLock({ $0.next(at: .now) }) else { return }
        if !work.perform(on: connection, of: self) { gapFilling.withLock { $0.stop() } }
    }

    /// Reads the end of the history on a connection without an open transaction.
    func readHistoryEnd(on connection: PostgresConnection) throws(StoreError) {
        let answer = try connection.runAll(
            start.reading.statements + [start.reading.query], historyEnd: connection.gaplessEnds[number] ?? 0)
        try connection.execute("COMMIT")
        let historyEnd = HistoryEnd(answer)
        if historyEnd.end != HistoryEndQuery.superseded {
            gapFilling.withLock { $0.update(with: historyEnd, at: .now) }
        }
    }

    /// Returns the error of a store that was replaced by another one, or migrated to another model.
    private func supersededError(_ connection: PostgresConnection) throws(StoreError) -> StoreError {
        let catalog = StoreCatalog(connection: connection)
        let found = try catalog.storeID()
        if found != storeID {
            return .replacedStoreError(
                detail:
                    "The schema now contains the store with the ID \(found); the program opened the store \(storeID)."
            )
        }
        return CurrentModel(try catalog.modelFingerprint()).supersededError(model)
    }

    /// Begins a read transaction, if the options allow that on a replica that has all saves which this store has made or read.
    func beginReading(
        _ options: SessionOptions
    ) throws(StoreError) -> (PostgresPool, PostgresConnection, HistoryEnd) {
        if !options.requiresLatest, let replicas,
            let (connection, historyEnd) = try replicas.begin(self, options)
        {
            return (replicas.pool, connection, historyEnd)
        }
        let (connection, historyEnd) = try begin(start.reading(with: options), options)
        recordHistoryEnd(historyEnd)
        return (pool, connection, historyEnd)
    }
}

extension HistoryEnd {
    fileprivate init(_ answer: PostgresResult) {
        self.init(
            end: answer.number(0) ?? 0, unsettled: answer.numbers(1), base: answer.number(2) ?? 0,
            transaction: answer.number(3))
    }

    /// Returns the end of the history from the result of the faster query, and whether the query has read all records.
    static func quick(_ answer: PostgresResult, knownEnd: Int64) -> (HistoryEnd, isComplete: Bool) {
        var reading = HistoryEnd(end: knownEnd, base: knownEnd, transaction: answer.number(2))
        let numbers = answer.numbers(1)
        guard numbers.first == knownEnd else { return (reading, false) }
        let missing = numbers.indices.first { numbers[$0] != knownEnd + Int64($0) } ?? numbers.endIndex
        reading.end = numbers[missing - 1]
        reading.unsettled = Array(numbers[missing...])
        return (reading, numbers.count <= HistoryEndQuery.maximumRecords)
    }
}

extension PostgresResult {
    /// Returns the numbers that a column of the first row lists, separated by spaces.
    func numbers(_ column: Int) -> [Int64] {
        guard column < width, count > 0, !isNull(0, column) else { return [] }
        return text(0, column).split(separator: " ").compactMap { Int64($0) }
    }

    /// Returns the number in a text column of the first row; nil if there is none.
    func number(_ column: Int) -> Int64? {
        column < width && count > 0 && !isNull(0, column) ? Int64(text(0, column)) : nil
    }
}
#endif
