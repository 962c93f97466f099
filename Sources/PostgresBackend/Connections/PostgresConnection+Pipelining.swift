#if Postgres
import CPostgres
import ContextCore

/// A pipelined statement, and how its result is used.
struct PipelinedStatement {
    let sql: String
    /// The values for the statement log; nil if it doesn't include them.
    var parameters: PostgresParameters?
    /// The key of its prepared statement; nil unless its preparation was sent before it in the pipeline.
    var shape: PreparedStatementNames.Shape?
    /// The expected number of changed rows; nil for any number.
    var count: Int?
    /// Whether its rows are processed as soon as they arrive; otherwise the connection stores them until the next rows arrive.
    var isProcessedImmediately = false
    /// Whether it reads the end of the history for a transaction whose first query is in the same pipeline.
    var readsHistoryEnd = false
}

/// The start of a transaction whose statements are pipelined, and whose first query goes to the server in the same round trip.
struct PipelinedStart {
    /// The number up to which the connection knew that the history has no gaps.
    let knownEnd: Int64
    /// Whether the query of the end of the history has returned.
    private(set) var isRead = false
    /// The end of the history; nil until it is read, and if the schema has another store, or this one with another model.
    private(set) var historyEnd: HistoryEnd?
    /// Whether the query has read all records; otherwise the transaction reads the rest with another query.
    private(set) var isComplete = false

    init(knownEnd: Int64) { self.knownEnd = knownEnd }

    mutating func readHistoryEnd(_ answer: PostgresResult) {
        isRead = true
        guard answer.number(0) == knownEnd else { return }
        let (reading, isComplete) = HistoryEnd.quick(answer, knownEnd: knownEnd)
        (historyEnd, self.isComplete) = (reading, isComplete)
    }
}

/// Pipelines: several statements in one round trip.
///
/// Their results are small, so neither side has to wait for the other to read. If libpq can't enter pipeline mode, each statement runs by
/// itself.
extension PostgresConnection {
    /// Sends a statement in the pipeline, whose result is read by ``finishPipeline()`` or before the next statement outside of a pipeline.
    ///
    /// - Parameter count: The expected number of changed rows; nil for any number.
    func sendInPipeline(
        _ sql: String, _ parameters: PostgresParameters = PostgresParameters(), changing count: Int? = nil
    ) throws(StoreError) {
        try parameters.check()
        guard try enterPipeline() else {
            let result = try run(sql, parameters)
            if let count, result.changedRows != count { hasExpectedRowCounts = false }
            if result.width > 0 { pipelineRows = result }
            return
        }
        pipelineBytes += parameters.byteCount
        if pipelineBytes > Self.maximumPipelinedBytes { try flushPipeline() }
        guard preparesStatements else {
            return try send(PipelinedStatement(sql: sql, count: count), parameters)
        }
        let shape = PreparedStatementNames.Shape(sql: sql, types: parameters.types)
        if let name = prepared[shape] { return try send(sql, parameters, as: name, nil, changing: count) }
        let (name, evicted) = prepared.add(shape)
        if let evicted { evictedNames.append(evicted) }
        try send(sql, parameters, as: name, shape, changing: count)
    }

    /// The largest number of bytes of values to keep in libpq's send buffer, which is limited to two gigabytes.
    private static let maximumPipelinedBytes = 8 * 1024 * 1024

    /// Waits until libpq's send buffer is empty.
    ///
    /// Cancelling the task doesn't interrupt statements that run on the server, since other writes may rely on them. It may end their waits
    /// for locks.
    ///
    /// - Throws: `StoreError.Code.cancelled` if the task was cancelled before.
    private func flushPipeline() throws(StoreError) {
        if isCancelled {
            throw .postgresError(state: "57014", detail: "cancelled while rows were sent")
        }
        let scope = cancellationScope
        if scope == .statements { setCancellationScope(.nothing) }
        defer { setCancellationScope(scope) }
        var watch = makeResultWait()
        try flush(&watch)
        pipelineBytes = 0
    }

    /// Enters pipeline mode, and sends the scheduled statements; false if libpq can't enter it.
    func enterPipeline() throws(StoreError) -> Bool {
        try finishPreviousTransaction()
        if pipelinedStatements.isEmpty {
            if PQenterPipelineMode(handle) == 0 { return false }
            pipelineStart = .now
        }
        let scheduledStatements = removeScheduledStatements()
        if !scheduledStatements.isEmpty {
            for statement in scheduledStatements { try sendInPipeline(statement) }
            try protectFromCancellation()
        }
        return true
    }

    /// Sends a statement without preparing it.
    func send(_ statement: PipelinedStatement, _ parameters: PostgresParameters) throws(StoreError) {
        let isSent = parameters.withValues { values, lengths, formats in
            PQsendQueryParams(
                handle, statement.sql, Int32(parameters.count), parameters.types, values, lengths, formats, 1)
        }
        pipelinedStatements.append(statement)
        recordValuesForLog(parameters)
        if isSent == 0 { throw abandonWithError() }
    }

    /// Sends a prepared statement; if a shape is given, sends its preparation first.
    private func send(
        _ sql: String, _ parameters: PostgresParameters, as name: String,
        _ shape: PreparedStatementNames.Shape?,
        changing count: Int?
    ) throws(StoreError) {
        let isPrepared =
            shape == nil || PQsendPrepare(handle, name, sql, Int32(parameters.count), parameters.types) == 1
        let isSent = parameters.withValues { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
        pipelinedStatements.append(PipelinedStatement(sql: sql, shape: shape, count: count))
        recordValuesForLog(parameters)
        if !isPrepared || isSent == 0 { throw abandonWithError() }
    }

    /// Stores the values of the last statement for the statement log if the log includes values.
    private func recordValuesForLog(_ parameters: PostgresParameters) {
        guard let log = configuration.statementLog, log.includesValues, !pipelinedStatements.isEmpty else {
            return
        }
        pipelinedStatements[pipelinedStatements.count - 1].parameters = parameters
    }

    /// Protects the statements in the pipeline from cancellation, and makes the server send their results early.
    func protectFromCancellation() throws(StoreError) {
        if pipelinedStatements.isEmpty { return }
        protectedCount = pipelinedStatements.count
        if PQsendFlushRequest(handle) == 0 { throw abandonWithError() }
    }

    /// Runs statements in one round trip, and returns the last rows that one of them returns.
    ///
    /// They are prepared, so that the server can cache their plans.
    ///
    /// - Parameter historyEnd: The value of the parameter ``ClockQuery/known``.
    func runAll(_ statements: [StartStatement], historyEnd: Int64) throws(StoreError) -> PostgresResult {
        guard preparesStatements else {
            let text = statements.map(\.sql).joined(separator: "; ")
            return try runSimpleQuery(
                text.replacingOccurrences(of: HistoryEndQuery.knownEnd, with: "\(historyEnd)"))
        }
        try readOutstandingResults()
        pipelineRows = nil
        var parameters = PostgresParameters()
        parameters.append(historyEnd)
        for statement in statements {
            try sendInPipeline(
                statement.sql, statement.hasHistoryEndParameter ? parameters : PostgresParameters())
        }
        try collect()
        defer { pipelineRows = nil }
        guard let pipelineRows else { throw abandonWithError() }
        return pipelineRows
    }

    /// Sends the statements that begin a transaction in the pipeline, before its first query; false if that isn't possible.
    ///
    /// - Parameter known: The value of the parameter ``ClockQuery/known``.
    func sendStartInPipeline(_ statements: [StartStatement], knownEnd: Int64) throws(StoreError) -> Bool {
        guard preparesStatements else { return false }
        try readOutstandingResults()
        guard try enterPipeline() else { return false }
        pipelinedStart = PipelinedStart(knownEnd: knownEnd)
        var parameters = PostgresParameters()
        parameters.append(knownEnd)
        for statement in statements {
            try sendInPipeline(
                statement.sql, statement.hasHistoryEndParameter ? parameters : PostgresParameters())
        }
        pipelinedStatements[pipelinedStatements.count - 1].readsHistoryEnd = true
        return true
    }

    /// Runs a transaction's first query in the round trip that begins the transaction.
    ///
    /// - Throws: `StoreError.Code.contention` if the schema has another store now, or this one with another model.
    func runAfterStart(
        _ sql: String, _ parameters: PostgresParameters, usesPreparedStatement: Bool
    ) throws(StoreError) -> PostgresResult {
        pipelineRows = nil
        defer { pipelineRows = nil }
        // Otherwise the server sends these results together with the query's, and the log counts the query's time as that of BEGIN.
        if configuration.statementLog != nil, PQsendFlushRequest(handle) == 0 { throw abandonWithError() }
        if usesPreparedStatement {
            try sendInPipeline(sql, parameters)
        } else {
            try send(PipelinedStatement(sql: sql), parameters)
        }
        try collect()
        try checkPipelinedStart()
        guard let pipelineRows else { throw abandonWithError() }
        return pipelineRows
    }

    /// Throws if the pipelined start of a transaction has failed, or has found another store or model, whose rows must not be decoded.
    func checkPipelinedStart() throws(StoreError) {
        guard let pipelinedStart, pipelinedStart.historyEnd == nil else { return }
        throw StoreError(
            .contention,
            "A transaction could not begin, since the store was replaced or migrated, or a statement failed.",
            remedy: "Run the block again. If the error persists, close the store and open it again.")
    }

    /// Runs queries in one round trip, and passes each result to a closure as soon as it arrives.
    func run(
        _ queries: [String], _ body: (PostgresResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try enterPipeline() else {
            for query in queries { try body(run(query)) }
            return
        }
        for query in queries {
            try send(PipelinedStatement(sql: query, isProcessedImmediately: true), PostgresParameters())
        }
        try collect(body)
    }

    /// Waits for the pipelined statements, and returns whether each has changed the expected number of rows.
    func finishPipeline() throws(StoreError) -> Bool {
        try collect()
        defer { hasExpectedRowCounts = true }
        return hasExpectedRowCounts
    }

    /// Waits for the pipelined statements, and reads their results.
    ///
    /// - Parameter process: Processes the result of a query of ``run(_:_:)`` while the server runs the next ones.
    /// - Throws: The first error. The server skips the statements after it.
    func collect(
        _ process: (PostgresResult) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) {
        if pipelinedStatements.isEmpty { return }
        let evicted = try deallocateEvictedStatements()
        let statements = pipelinedStatements
        let (protectedStatements, scope) = (protectedCount, cancellationScope)
        (pipelinedStatements, protectedCount) = ([], 0)
        defer { setCancellationScope(scope) }
        roundTrips += 1
        pipelineBytes = 0
        let start = pipelineStart
        guard PQpipelineSync(handle) == 1 else { throw abandonWithError() }
        var failure: StoreError?
        var unprepared: [PreparedStatementNames.Shape] = []
        var statementStart = configuration.statementLog == nil ? start : .now
        for (place, statement) in statements.enumerated() {
            setCancellationScope(place < protectedStatements ? .nothing : scope)
            let hadFailed = failure != nil
            if let shape = statement.shape,
                try nextPipelineResult(statement.sql, &failure, since: start) == nil
            {
                unprepared.append(shape)
            }
            let answered = try nextPipelineResult(statement.sql, &failure, since: start)
            if let log = configuration.statementLog, !hadFailed {
                log.report(statement.sql, statement.parameters, answered, since: statementStart)
                statementStart = .now
            }
            guard let result = answered else { continue }
            if statement.readsHistoryEnd {
                pipelinedStart?.readHistoryEnd(result)
                continue
            }
            if statement.isProcessedImmediately {
                do throws(StoreError) { try process(result) } catch { failure = failure ?? error }
                continue
            }
            if result.width > 0 { pipelineRows = result }
            if let count = statement.count, result.changedRows != count { hasExpectedRowCounts = false }
        }
        PQclear(try nextResult())
        if isNotificationOutstanding {
            // The next use of the connection reads the result of the notification.
            guard failure != nil || PQflush(handle) != 0 else { return }
            try finishPreviousTransaction()
        } else if !isAlive || PQexitPipelineMode(handle) == 0 {
            throw failure ?? abandonWithError()
        }
        guard let failure else { return }
        hasExpectedRowCounts = true
        // The server skipped the statements after the error.
        for shape in unprepared { prepared.remove(shape) }
        evictedNames += evicted
        throw failure
    }

    /// Sends the deallocation of evicted prepared statements, and returns their names.
    ///
    /// It is the last of a pipeline: the server takes a snapshot for a DEALLOCATE, and a transaction must begin before that.
    private func deallocateEvictedStatements() throws(StoreError) -> [String] {
        let evicted = evictedNames
        evictedNames = []
        for name in evicted {
            try send(PipelinedStatement(sql: "DEALLOCATE \(name)"), PostgresParameters())
        }
        return evicted
    }

    /// Reads the next result and the null pointer after it; nil after an error, which it assigns to `failure` if it is the first.
    private func nextPipelineResult(
        _ sql: String, _ failure: inout StoreError?, since start: ContinuousClock.Instant
    ) throws(StoreError) -> PostgresResult? {
        guard let result = try nextResult() else { return nil }
        if PQresultStatus(result) == PGRES_PIPELINE_ABORTED {
            PQclear(result)
            PQclear(try nextResult())
            return nil
        }
        let answer: PostgresResult
        do throws(StoreError) {
            answer = try checkedResult(result, sql, since: start)
        } catch {
            failure = failure ?? error
            // The remaining results of a lost connection don't matter.
            if isBroken { throw error }
            PQclear(try nextResult())
            return nil
        }
        PQclear(try nextResult())
        return answer
    }
}
#endif
