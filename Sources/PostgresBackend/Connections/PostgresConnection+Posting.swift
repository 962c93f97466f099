#if Postgres
import CPostgres
import ContextCore

/// A pipelined statement, and how its result is used.
struct PostedStatement {
    let sql: String
    /// The values for the statement log; nil if it doesn't include them.
    var parameters: PostgresParameters?
    /// The key of its prepared statement; nil unless its preparation was sent before it in the pipeline.
    var shape: PreparedNames.Shape?
    /// The expected number of changed rows; nil for any number.
    var count: Int?
    /// Whether its rows are processed as soon as they arrive; otherwise the connection stores them until the next rows arrive.
    var isWantedAtOnce = false
    /// Whether it reads the end of the history for a transaction whose first query is in the same pipeline.
    var readsClock = false
}

/// The start of a transaction whose statements are pipelined, and whose first query goes to the server in the same round trip.
struct PostedOpening {
    /// The number up to which the connection knew that the history has no gaps.
    let known: Int64
    /// Whether the query of the end of the history has returned.
    private(set) var isRead = false
    /// The end of the history; nil until it is read, and if the schema has another store, or this one with another model.
    private(set) var clock: ClockReading?
    /// Whether the query has read all records; otherwise the transaction reads the rest with another query.
    private(set) var isWhole = false

    init(known: Int64) { self.known = known }

    mutating func readClock(_ answer: PostgresResult) {
        isRead = true
        guard answer.number(0) == known else { return }
        let (reading, isWhole) = ClockReading.quick(answer, known: known)
        (clock, self.isWhole) = (reading, isWhole)
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
    func post(
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
        if pipelineBytes > Self.mostPostedBytes { try drain() }
        guard preparesStatements else {
            return try send(PostedStatement(sql: sql, count: count), parameters)
        }
        let shape = PreparedNames.Shape(sql: sql, types: parameters.types)
        if let name = prepared[shape] { return try send(sql, parameters, as: name, nil, changing: count) }
        let (name, forgotten) = prepared.add(shape)
        if let forgotten { forgottenNames.append(forgotten) }
        try send(sql, parameters, as: name, shape, changing: count)
    }

    /// The largest number of bytes of values to keep in libpq's send buffer, which is limited to two gigabytes.
    private static let mostPostedBytes = 8 * 1024 * 1024

    /// Waits until libpq's send buffer is empty.
    ///
    /// Cancelling the task doesn't interrupt statements that run on the server, since other writes may rely on them. If
    /// ``cancelsLockWaitsOnly`` is true, it ends their waits for locks.
    ///
    /// - Throws: `StoreError.Code.cancelled` if the task was cancelled before.
    private func drain() throws(StoreError) {
        if isCancellable, Task.isCancelled {
            throw .postgres(state: "57014", detail: "cancelled while rows were sent")
        }
        let heeds = isCancellable
        isCancellable = heeds && cancelsLockWaitsOnly
        defer { isCancellable = heeds }
        var watch = startWatch()
        try flush(&watch)
        pipelineBytes = 0
    }

    /// Enters pipeline mode, and sends the scheduled statements; false if libpq can't enter it.
    func enterPipeline() throws(StoreError) -> Bool {
        try part()
        if pipelinedStatements.isEmpty {
            if PQenterPipelineMode(handle) == 0 { return false }
            pipelineStart = .now
        }
        let scheduledStatements = removeScheduledStatements()
        if !scheduledStatements.isEmpty {
            for statement in scheduledStatements { try post(statement) }
            try shield()
        }
        return true
    }

    /// Sends a statement without preparing it.
    func send(_ statement: PostedStatement, _ parameters: PostgresParameters) throws(StoreError) {
        let isSent = parameters.withValues { values, lengths, formats in
            PQsendQueryParams(
                handle, statement.sql, Int32(parameters.count), parameters.types, values, lengths, formats, 1)
        }
        pipelinedStatements.append(statement)
        keepValuesForLog(parameters)
        if isSent == 0 { throw lost() }
    }

    /// Sends a prepared statement; if a shape is given, sends its preparation first.
    private func send(
        _ sql: String, _ parameters: PostgresParameters, as name: String, _ shape: PreparedNames.Shape?,
        changing count: Int?
    ) throws(StoreError) {
        let isPrepared =
            shape == nil || PQsendPrepare(handle, name, sql, Int32(parameters.count), parameters.types) == 1
        let isSent = parameters.withValues { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
        pipelinedStatements.append(PostedStatement(sql: sql, shape: shape, count: count))
        keepValuesForLog(parameters)
        if !isPrepared || isSent == 0 { throw lost() }
    }

    /// Stores the values of the last statement for the statement log if the log includes values.
    private func keepValuesForLog(_ parameters: PostgresParameters) {
        guard let log = configuration.statementLog, log.includesValues, !pipelinedStatements.isEmpty else {
            return
        }
        pipelinedStatements[pipelinedStatements.count - 1].parameters = parameters
    }

    /// Protects the statements in the pipeline from cancellation, and makes the server send their results early.
    func shield() throws(StoreError) {
        if pipelinedStatements.isEmpty { return }
        protectedCount = pipelinedStatements.count
        if PQsendFlushRequest(handle) == 0 { throw lost() }
    }

    /// Runs statements in one round trip, and returns the last rows that one of them returns.
    ///
    /// They are prepared, so that the server can cache their plans.
    ///
    /// - Parameter historyEnd: The value of the parameter ``ClockQuery/known``.
    func runAll(_ statements: [OpeningStatement], historyEnd: Int64) throws(StoreError) -> PostgresResult {
        guard preparesStatements else {
            let text = statements.map(\.sql).joined(separator: "; ")
            return try runSimpleQuery(text.replacingOccurrences(of: ClockQuery.known, with: "\(historyEnd)"))
        }
        try readOutstandingResults()
        pipelineRows = nil
        var parameters = PostgresParameters()
        parameters.append(historyEnd)
        for statement in statements {
            try post(statement.sql, statement.takesHistoryEnd ? parameters : PostgresParameters())
        }
        try collect()
        defer { pipelineRows = nil }
        guard let pipelineRows else { throw lost() }
        return pipelineRows
    }

    /// Sends the statements that begin a transaction in the pipeline, before its first query; false if that isn't possible.
    ///
    /// - Parameter known: The value of the parameter ``ClockQuery/known``.
    func postOpening(_ statements: [OpeningStatement], known: Int64) throws(StoreError) -> Bool {
        guard preparesStatements else { return false }
        try readOutstandingResults()
        guard try enterPipeline() else { return false }
        opening = PostedOpening(known: known)
        var parameters = PostgresParameters()
        parameters.append(known)
        for statement in statements {
            try post(statement.sql, statement.takesHistoryEnd ? parameters : PostgresParameters())
        }
        pipelinedStatements[pipelinedStatements.count - 1].readsClock = true
        return true
    }

    /// Runs a transaction's first query in the round trip that begins the transaction.
    ///
    /// - Throws: `StoreError.Code.contention` if the schema has another store now, or this one with another model.
    func runBehindOpening(
        _ sql: String, _ parameters: PostgresParameters, keepsPlan: Bool
    ) throws(StoreError) -> PostgresResult {
        pipelineRows = nil
        defer { pipelineRows = nil }
        // Otherwise the server sends these results together with the query's, and the log counts the query's time as that of BEGIN.
        if configuration.statementLog != nil, PQsendFlushRequest(handle) == 0 { throw lost() }
        if keepsPlan {
            try post(sql, parameters)
        } else {
            try send(PostedStatement(sql: sql), parameters)
        }
        try collect()
        try checkOpening()
        guard let pipelineRows else { throw lost() }
        return pipelineRows
    }

    /// Throws if the pipelined start of a transaction has failed, or has found another store or model, whose rows must not be decoded.
    func checkOpening() throws(StoreError) {
        guard let opening, opening.clock == nil else { return }
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
            try send(PostedStatement(sql: query, isWantedAtOnce: true), PostgresParameters())
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
        let forgotten = forgottenNames
        forgottenNames = []
        // Last, since the server takes a snapshot for a DEALLOCATE, and a transaction must begin before that.
        for name in forgotten {
            try send(PostedStatement(sql: "DEALLOCATE \(name)"), PostgresParameters())
        }
        let (statements, shielded, heeds) = (pipelinedStatements, protectedCount, isCancellable)
        (pipelinedStatements, protectedCount) = ([], 0)
        defer { isCancellable = heeds }
        roundTrips += 1
        pipelineBytes = 0
        let start = pipelineStart
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        var failure: StoreError?
        var unprepared: [PreparedNames.Shape] = []
        var statementStart = configuration.statementLog == nil ? start : .now
        for (place, statement) in statements.enumerated() {
            isCancellable = heeds && place >= shielded
            let hadFailed = failure != nil
            if let shape = statement.shape, try nextAnswer(statement.sql, &failure, since: start) == nil {
                unprepared.append(shape)
            }
            let answered = try nextAnswer(statement.sql, &failure, since: start)
            if let log = configuration.statementLog, !hadFailed {
                log.report(statement.sql, statement.parameters, answered, since: statementStart)
                statementStart = .now
            }
            guard let result = answered else { continue }
            if statement.readsClock {
                opening?.readClock(result)
                continue
            }
            if statement.isWantedAtOnce {
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
            try part()
        } else if !isAlive || PQexitPipelineMode(handle) == 0 {
            throw failure ?? lost()
        }
        guard let failure else { return }
        hasExpectedRowCounts = true
        // The server skipped the statements after the error.
        for shape in unprepared { prepared.forget(shape) }
        forgottenNames += forgotten
        throw failure
    }

    /// Reads the next result and the null pointer after it; nil after an error, which it assigns to `failure` if it is the first.
    private func nextAnswer(
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
            answer = try checked(result, sql, since: start)
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
