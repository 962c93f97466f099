#if Postgres
import CPostgres
import ContextCore

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
            return pipeline.record(result, changing: count)
        }
        if pipeline.addBytes(parameters.byteCount) { try flushPipeline() }
        guard preparesStatements else {
            return try send(PipelinedStatement(sql: sql, count: count), parameters)
        }
        let shape = PreparedStatementNames.Shape(sql: sql, types: parameters.types)
        if let name = prepared.name(of: shape) {
            return try send(PipelinedStatement(sql: sql, count: count), parameters, as: name)
        }
        let (name, evicted) = prepared.add(shape)
        if let evicted { prepared.scheduleDeallocation(of: [evicted]) }
        try send(PipelinedStatement(sql: sql, shape: shape, count: count), parameters, as: name)
    }

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
        pipeline.resetBytes()
    }

    /// Enters pipeline mode, and sends the scheduled statements; false if libpq can't enter it.
    func enterPipeline() throws(StoreError) -> Bool {
        try finishPreviousTransaction()
        if pipeline.isEmpty {
            if PQenterPipelineMode(handle) == 0 { return false }
            pipeline.begin(at: .now)
        }
        let scheduledStatements = removeScheduledStatements()
        if !scheduledStatements.isEmpty {
            for statement in scheduledStatements { try sendInPipeline(statement) }
            try protectFromCancellation()
        }
        return true
    }

    /// Sends a statement: the prepared statement of a name, after its preparation if it has a shape; or otherwise the text.
    func send(
        _ statement: PipelinedStatement, _ parameters: PostgresParameters, as name: String? = nil
    ) throws(StoreError) {
        let (sql, count) = (statement.sql, Int32(parameters.count))
        let isPrepared =
            statement.shape == nil || PQsendPrepare(handle, name, sql, count, parameters.types) == 1
        let isSent = sendQuery(sql, parameters, as: name)
        let includesValues = configuration.statementLog?.includesValues == true
        pipeline.append(statement, includesValues ? parameters : nil)
        if !isPrepared || !isSent { throw abandonWithError() }
    }

    /// Protects the statements in the pipeline from cancellation, and makes the server send their results early.
    func protectFromCancellation() throws(StoreError) {
        if pipeline.isEmpty { return }
        pipeline.protectStatements()
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
        pipeline.discardRows()
        try sendInPipeline(statements, historyEnd: historyEnd)
        try collect()
        defer { pipeline.discardRows() }
        guard let rows = pipeline.rows else { throw abandonWithError() }
        return rows
    }

    /// Sends the statements that begin a transaction in the pipeline, before its first query; false if that isn't possible.
    ///
    /// - Parameter known: The value of the parameter ``ClockQuery/known``.
    func sendStartInPipeline(_ statements: [StartStatement], knownEnd: Int64) throws(StoreError) -> Bool {
        guard preparesStatements else { return false }
        try readOutstandingResults()
        guard try enterPipeline() else { return false }
        try sendInPipeline(statements, historyEnd: knownEnd)
        pipeline.beginTransaction(knownEnd: knownEnd)
        return true
    }

    private func sendInPipeline(_ statements: [StartStatement], historyEnd: Int64) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(historyEnd)
        for statement in statements {
            try sendInPipeline(
                statement.sql, statement.hasHistoryEndParameter ? parameters : PostgresParameters())
        }
    }

    /// Ends the pipelined start of a transaction, which has begun or is rolled back.
    func endPipelinedStart() { pipeline.endTransactionStart() }

    /// Runs a transaction's first query in the round trip that begins the transaction.
    ///
    /// - Throws: `StoreError.Code.contention` if the schema has another store now, or this one with another model.
    func runFirstQuery(
        _ sql: String, _ parameters: PostgresParameters, usesPreparedStatement: Bool
    ) throws(StoreError) -> PostgresResult {
        pipeline.discardRows()
        defer { pipeline.discardRows() }
        // Otherwise the server sends these results together with the query's, and the log counts the query's time as that of BEGIN.
        if configuration.statementLog != nil, PQsendFlushRequest(handle) == 0 { throw abandonWithError() }
        if usesPreparedStatement {
            try sendInPipeline(sql, parameters)
        } else {
            try send(PipelinedStatement(sql: sql), parameters)
        }
        try collect()
        try checkPipelinedStart()
        guard let rows = pipeline.rows else { throw abandonWithError() }
        return rows
    }

    /// Throws if the pipelined start of a transaction has failed, or has found another store or model, whose rows must not be decoded.
    func checkPipelinedStart() throws(StoreError) {
        guard let start = pipeline.transactionStart, start.historyEnd == nil else { return }
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
        return pipeline.finishRowCountCheck()
    }

    /// Waits for the pipelined statements, and reads their results.
    ///
    /// - Parameter process: Processes the result of a query of ``run(_:_:)`` while the server runs the next ones.
    /// - Throws: The first error. The server skips the statements after it.
    func collect(
        _ process: (PostgresResult) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) {
        if pipeline.isEmpty { return }
        let evicted = try deallocateEvictedStatements()
        let (statements, protectedCount) = pipeline.removeStatements()
        let scope = cancellationScope
        defer { setCancellationScope(scope) }
        countRoundTrip()
        let start = pipeline.start
        guard PQpipelineSync(handle) == 1 else { throw abandonWithError() }
        var failure: StoreError?
        var unprepared: [PreparedStatementNames.Shape] = []
        var statementStart = configuration.statementLog == nil ? start : .now
        for (place, statement) in statements.enumerated() {
            setCancellationScope(place < protectedCount ? .nothing : scope)
            let hadFailed = failure != nil
            if let shape = statement.shape,
                try nextPipelineResult(statement.sql, &failure, since: start) == nil
            {
                unprepared.append(shape)
            }
            let answered = try nextPipelineResult(statement.sql, &failure, since: start)
            if let log = configuration.statementLog, !hadFailed {
                log.report(
                    statement.sql, statement.parameters, answered, since: statementStart, configuration)
                statementStart = .now
            }
            guard let result = answered else { continue }
            if statement.readsHistoryEnd {
                pipeline.readHistoryEnd(result)
            } else if statement.isProcessedImmediately {
                do throws(StoreError) { try process(result) } catch { failure = failure ?? error }
            } else {
                pipeline.record(result, changing: statement.count)
            }
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
        pipeline.finishRowCountCheck()
        // The server skipped the statements after the error.
        for shape in unprepared { prepared.remove(shape) }
        prepared.scheduleDeallocation(of: evicted)
        throw failure
    }

    /// Sends the deallocation of evicted prepared statements, and returns their names.
    ///
    /// It is the last of a pipeline: the server takes a snapshot for a DEALLOCATE, and a transaction must begin before that.
    private func deallocateEvictedStatements() throws(StoreError) -> [String] {
        let evicted = prepared.removeScheduledDeallocations()
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
