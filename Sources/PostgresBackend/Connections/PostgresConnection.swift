#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// A connection to a server, which one thread at a time may use.
final class PostgresConnection {
    let handle: OpaquePointer
    /// The configuration of the store that uses the connection.
    private(set) var configuration: PostgresConfiguration
    /// The server process of the connection.
    let process: ServerProcess
    private let finalError = FinalServerError()
    private var savepoints = SavepointStack()
    // Only the connection's own files change these four; Swift can't limit setters to several files.
    var prepared = PreparedStatementNames()
    var pipeline = StatementPipeline()
    /// The number of bytes of a COPY that the server had read at the last inquiry; nil if no COPY to the server is running.
    var copiedBytes: Int64?
    /// The start of the server's current state at the last inquiry that found it waiting for this connection; nil before.
    var lastWaitStart: Int64?
    /// The number of waits for the server.
    private(set) var roundTrips = 0
    /// The last time when data arrived from the server, or the server accepted data.
    private var lastActivity = ContinuousClock.now
    private(set) var cancellationScope = CancellationScope.nothing
    /// The numbers up to which the histories of the stores that have used the connection have no gaps.
    private(set) var gaplessEnds: [PostgresStore.Number: Int64] = [:]
    /// Whether a COMMIT was sent whose result has not been read.
    private(set) var isInDoubt = false
    /// Whether the server may still have a process for this connection, which was abandoned.
    private var leavesServerProcess = false
    /// Whether the COMMIT of a read-only transaction was sent whose result has not been read.
    private var isReadCommitOutstanding = false
    /// Whether a notification was sent after a commit whose result has not been read.
    private(set) var isNotificationOutstanding = false
    /// Whether the connection must not be used any more, even if libpq considers it intact.
    private(set) var isBroken = false
    /// Whether the server has rejected a prepared statement as unknown or outdated.
    private var isStale = false
    /// What the server said about the last statement that it rejected.
    private(set) var lastRejection: StatementRejection?
    /// Whether another connection may query the state of this one; false for a connection that makes such queries.
    let canInquire: Bool

    /// Connects to a server of the configuration, and blocks until the connection is established.
    init(_ configuration: PostgresConfiguration, canInquire: Bool = true) throws(StoreError) {
        let name = ServerProcess.makeName()
        handle = try ConnectionAttempt(configuration: configuration, name: name).connect()
        self.configuration = configuration
        // Behind a pooler the server process serves other clients too.
        self.canInquire = canInquire && !configuration.isPooled
        process = ServerProcess(pid: PQbackendPID(handle), name: name)
        finalError.listen(to: handle)
        // libpq must not block, since its waits have no time limit.
        PQsetnonblocking(handle, 1)
    }

    deinit { PQfinish(handle) }

    /// Sets the configuration of the store that uses the connection from now on.
    func setConfiguration(_ configuration: PostgresConfiguration) { self.configuration = configuration }

    /// The server's version as libpq returns it: 150018 for 15.18.
    var serverVersion: Int32 { PQserverVersion(handle) }

    var preparesStatements: Bool { configuration.preparesStatements && !configuration.isPooled }

    // MARK: State

    /// Whether a transaction is open, including one that has failed.
    var isInTransaction: Bool {
        if isReadCommitOutstanding || isNotificationOutstanding { return false }
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    /// Whether a statement of the open transaction has failed, so that the server rejects further statements.
    var hasFailedStatement: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// The time after the last data from the server during which a statement is sent without checking the socket.
    private static let recentActivity = Duration.milliseconds(2)

    /// Whether the connection is usable, as far as libpq knows without checking the socket.
    var isAlive: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }

    /// Checks, without waiting, whether the server has closed an idle connection.
    func detectsServerClose() -> Bool {
        while isAlive, Socket(PQsocket(handle)).wait(for: Int16(POLLIN), .zero) {
            if PQconsumeInput(handle) == 0 { markBroken() }
            // Makes libpq process the data, which may contain the server's final error.
            _ = PQisBusy(handle)
        }
        return !isAlive
    }

    /// The file descriptor of the connection's socket.
    var socket: Int32 { PQsocket(handle) }

    /// Removes and returns the next notification that has arrived; nil if there is none.
    func nextNotification() -> ServerNotification? {
        guard let notification = PQnotifies(handle) else { return nil }
        defer { PQfreemem(notification) }
        return ServerNotification(
            channel: notification.pointee.relname.map { String(cString: $0) } ?? "",
            payload: notification.pointee.extra.map { String(cString: $0) } ?? "")
    }

    /// Marks the connection as lost.
    func markBroken() { isBroken = true }

    /// Marks the connection as lost, and shuts down its socket so that the server ends its session.
    func forceClose() {
        markBroken()
        shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    }

    // MARK: Recording

    func countRoundTrip() { roundTrips += 1 }
    func recordActivity() { lastActivity = .now }
    func recordGaplessEnd(_ end: Int64, of number: PostgresStore.Number) { gaplessEnds[number] = end }
    func recordAbandonment(leavesProcess: Bool) { leavesServerProcess = leavesProcess }

    /// Returns the process that the server may still have for this connection, which was abandoned; nil after the first call.
    func removeOrphanedProcess() -> ServerProcess? {
        defer { leavesServerProcess = false }
        return leavesServerProcess ? process : nil
    }

    // MARK: Cancellation

    /// Whether the task was cancelled, and its statements may be interrupted.
    var isCancelled: Bool { cancellationScope != .nothing && Task.isCancelled }

    /// Sets what cancelling the task interrupts from now on.
    func setCancellationScope(_ scope: CancellationScope) { cancellationScope = scope }

    /// Lets cancelling the task interrupt only waits for locks, since the next statements may commit.
    func limitCancellationToLockWaits() {
        if cancellationScope == .statements { cancellationScope = .lockWaits }
    }

    /// Runs work that cancelling the task must not interrupt.
    func withoutCancellation<Answer, Failure: Error>(
        _ work: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let scope = cancellationScope
        cancellationScope = .nothing
        defer { cancellationScope = scope }
        return try work()
    }

    // MARK: Running

    /// Runs one or several statements without parameters.
    func execute(_ sql: String) throws(StoreError) { _ = try runSimpleQuery(sql) }

    /// Runs statements without parameters in one round trip, and returns the integer of the last one with a row.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        let answer = try runSimpleQuery(sql)
        // The simple query protocol returns values as text.
        return answer.count == 0 || answer.isNull(0, 0) ? nil : Int64(answer.text(0, 0))
    }

    /// Commits the open transaction.
    ///
    /// - Throws: `StoreError.Code.connectionLost`; if the outcome is unknown then, `isInDoubt` is true.
    func commit() throws(StoreError) {
        isInDoubt = false
        _ = removeScheduledStatements()
        // If the connection is lost already, the outcome isn't in doubt.
        try readOutstandingResults()
        try sendCommit()
    }

    /// Runs the last statements of the open transaction and commits it, in one round trip if libpq supports pipelines.
    ///
    /// If one of the statements fails, the transaction stays open with its earlier changes.
    ///
    /// - Parameters:
    ///   - notifyStatement: Notifies other processes after the commit.
    ///   - sendInPipeline: Sends the last statements in the pipeline.
    /// - Returns: The last rows that one of the statements returns.
    /// - Throws: The same errors as ``commit()``.
    func commit(
        notifying notifyStatement: String?, after sendInPipeline: () throws(StoreError) -> Void
    ) throws(StoreError) -> PostgresResult? {
        isInDoubt = false
        try readOutstandingResults()
        guard try enterPipeline() else {
            pipeline.discardRows()
            defer { pipeline.discardRows() }
            try sendInPipeline()
            let rows = pipeline.rows
            try sendCommit()
            if let notifyStatement { try? execute(notifyStatement) }
            return rows
        }
        try sendInPipeline()
        return try commitPipeline(notifying: notifyStatement)
    }

    /// Sends a COMMIT after the pipelined statements, waits for all results, and returns the last rows.
    ///
    /// The notification is sent in a separate transaction after the commit, whose result isn't waited for: a commit with a
    /// notification holds a lock of the whole server until it is on disk.
    func commitPipeline(notifying notifyStatement: String?) throws(StoreError) -> PostgresResult? {
        pipeline.discardRows()
        defer { pipeline.discardRows() }
        // A DEALLOCATE after the COMMIT could fail although the commit succeeded.
        let evicted = prepared.removeScheduledDeallocations()
        defer { prepared.scheduleDeallocation(of: evicted) }
        isInDoubt = true
        try send(PipelinedStatement(sql: "COMMIT"), PostgresParameters())
        if let notifyStatement {
            if PQpipelineSync(handle) == 0 { throw abandonWithError() }
            isNotificationOutstanding = true
            if PQsendQueryParams(handle, notifyStatement, 0, nil, nil, nil, nil, 1) == 0 {
                throw abandonWithError()
            }
        }
        try collect()
        isInDoubt = false
        return pipeline.rows
    }

    private func sendCommit() throws(StoreError) {
        isInDoubt = true
        let answer = try runSimpleQuery("COMMIT")
        isInDoubt = false
        if answer.command == "COMMIT" { return }
        // The server rolls back instead if a statement of the transaction has failed.
        throw StoreError(
            .database, "A statement of the transaction has failed, so nothing of it was saved.",
            remedy: "Save again.", detail: "The server replied to COMMIT with \(answer.command).")
    }

    /// Reads all outstanding results, and throws if the server has closed the connection, since sending would lose its error.
    func readOutstandingResults() throws(StoreError) {
        try finishPreviousTransaction()
        try collect()
        try checkPipelinedStart()
        if detectsServerClose() { throw abandonWithError() }
    }

    /// Sends the COMMIT of a read-only transaction; the next use of the connection reads its result.
    func sendReadOnlyCommit() {
        guard isAlive, pipeline.isEmpty, isInTransaction else { return }
        guard PQsendQuery(handle, "COMMIT") == 1 else { return markBroken() }
        isReadCommitOutstanding = true
        if PQflush(handle) != 0 { try? finishPreviousTransaction() }
    }

    /// Reads the outstanding results of the previous transaction's COMMIT and its notification.
    ///
    /// - Throws: The error of a lost connection if the transaction is still open.
    func finishPreviousTransaction() throws(StoreError) {
        guard isReadCommitOutstanding || isNotificationOutstanding else { return }
        try withoutCancellation { () throws(StoreError) -> Void in
            if isNotificationOutstanding { try readNotificationResult() }
            guard isReadCommitOutstanding else { return }
            isReadCommitOutstanding = false
            while let result = try nextResult() {
                finalError.record(result)
                PQclear(result)
            }
            if PQtransactionStatus(handle) != PQTRANS_IDLE { throw abandonWithError() }
        }
    }

    /// Reads and ignores the result of the notification after a commit.
    private func readNotificationResult() throws(StoreError) {
        isNotificationOutstanding = false
        var isLast = false
        while !isLast {
            var next = try nextResult()
            // A null pointer follows the results of each statement.
            if next == nil { next = try nextResult() }
            guard let result = next else { throw abandonWithError() }
            isLast = PQresultStatus(result) == PGRES_PIPELINE_SYNC
            finalError.record(result)
            PQclear(result)
        }
        if PQexitPipelineMode(handle) == 0 { throw abandonWithError() }
    }

    func runSimpleQuery(_ sql: String) throws(StoreError) -> PostgresResult {
        try readOutstandingResults()
        // A cancellation of the statement must not cancel the scheduled statements.
        if cancellationScope != .nothing { try runScheduledStatements() }
        let sql = (removeScheduledStatements() + [sql]).joined(separator: "; ")
        roundTrips += 1
        let start = ContinuousClock.now
        guard PQsendQuery(handle, sql) == 1 else { throw abandonWithError() }
        return try readResult(of: sql, since: start)
    }

    /// Runs the scheduled statements without cancellation, since other writes of the transaction rely on them.
    func runScheduledStatements() throws(StoreError) {
        if savepoints.scheduledStatements.isEmpty { return }
        try withoutCancellation { () throws(StoreError) in
            try execute(removeScheduledStatements().joined(separator: "; "))
        }
    }

    /// Runs a statement with parameters.
    ///
    /// - Parameter keepsPlan: Whether to use a prepared statement, whose plan the server can cache; otherwise it plans for these values.
    @discardableResult
    func run(
        _ sql: String, _ parameters: PostgresParameters = PostgresParameters(),
        usesPreparedStatement: Bool = true
    ) throws(StoreError) -> PostgresResult {
        do throws(StoreError) {
            return try runOnce(sql, parameters, usesPreparedStatement: usesPreparedStatement)
        } catch {
            // A failed transaction can only be continued by a caller that rolls back to a savepoint.
            if isInTransaction || !discardStalePreparedStatements() { throw error }
        }
        return try runOnce(sql, parameters, usesPreparedStatement: usesPreparedStatement)
    }

    private func runOnce(
        _ sql: String, _ parameters: PostgresParameters, usesPreparedStatement: Bool
    ) throws(StoreError) -> PostgresResult {
        try parameters.check()
        if pipeline.transactionStart != nil, !pipeline.isEmpty {
            return try runFirstQuery(sql, parameters, usesPreparedStatement: usesPreparedStatement)
        }
        try finishPreviousTransaction()
        try collect()
        // Check the socket unless data arrived just now. Losing this statement would change nothing.
        if lastActivity.duration(to: .now) > Self.recentActivity, detectsServerClose() {
            throw abandonWithError()
        }
        try runScheduledStatements()
        let name = try usesPreparedStatement && preparesStatements ? self.name(of: sql, parameters) : nil
        let start = ContinuousClock.now
        roundTrips += 1
        guard sendQuery(sql, parameters, as: name) else { throw abandonWithError() }
        return try readResult(of: sql, parameters, since: start)
    }

    /// Sends a statement: the prepared statement of a name, or otherwise the text; false if that fails.
    func sendQuery(_ sql: String, _ parameters: PostgresParameters, as name: String?) -> Bool {
        let count = Int32(parameters.count)
        let isSent = parameters.withValues { values, lengths, formats in
            name.map { PQsendQueryPrepared(handle, $0, count, values, lengths, formats, 1) }
                ?? PQsendQueryParams(handle, sql, count, parameters.types, values, lengths, formats, 1)
        }
        return isSent == 1
    }

    /// Returns the name of a prepared statement, and prepares it on first use.
    private func name(of sql: String, _ parameters: PostgresParameters) throws(StoreError) -> String {
        let shape = PreparedStatementNames.Shape(sql: sql, types: parameters.types)
        if let known = prepared.name(of: shape) { return known }
        let (name, evicted) = prepared.add(shape)
        if let evicted { try execute("DEALLOCATE \(evicted)") }
        roundTrips += 1
        let start = ContinuousClock.now
        guard PQsendPrepare(handle, name, sql, Int32(parameters.count), parameters.types) == 1 else {
            throw abandonWithError()
        }
        do throws(StoreError) {
            _ = try readResult(of: sql, since: start, isLogged: false)
        } catch {
            prepared.remove(shape)
            throw error
        }
        return name
    }

    // MARK: Savepoints

    var rollbackStatement: String { savepoints.rollbackStatement }
    func removeScheduledStatements() -> [String] { savepoints.removeScheduledStatements() }
    func scheduleSavepoint() { savepoints.schedule() }
    func beginCallerSavepoint() { savepoints.beginCaller() }
    func releaseSavepoint() { savepoints.releaseCaller() }

    /// Rolls back to the caller's savepoint, and releases it.
    func rollBackSavepoint() throws(StoreError) {
        defer { savepoints.endCaller() }
        // If the savepoint is only scheduled, no statement ran since.
        if !savepoints.unscheduleCaller() { try execute(SavepointStack.rollBackCaller) }
    }

    /// Discards the savepoints and the scheduled statements of a transaction that ends.
    func discardSavepoints() { savepoints = SavepointStack() }

    // MARK: Results

    /// Reads all results of a statement, and returns the last one with rows; throws the first error.
    ///
    /// - Parameters:
    ///   - parameters: The values for the log; errors don't contain them.
    ///   - start: The time when the statement was sent, from which its duration is measured.
    ///   - isLogged: Whether to log the statement; preparations aren't logged.
    func readResult(
        of sql: String, _ parameters: PostgresParameters? = nil, since start: ContinuousClock.Instant,
        isLogged: Bool = true
    ) throws(StoreError) -> PostgresResult {
        var last: PostgresResult?
        var failure: StoreError?
        while let result = try nextResult() {
            do throws(StoreError) {
                let next = try checkedResult(result, sql, since: start)
                if next.width > 0 || last?.width ?? 0 == 0 { last = next }
            } catch {
                failure = failure ?? error
            }
        }
        if isLogged, let log = configuration.statementLog {
            log.report(sql, parameters, last, since: start, configuration)
        }
        if let failure { throw failure }
        guard let last else { throw abandonWithError() }
        return last
    }

    /// Forgets what the server said about the last statement that it rejected.
    func discardLastRejection() { lastRejection = nil }

    func checkedResult(
        _ result: OpaquePointer, _ sql: String, since start: ContinuousClock.Instant
    ) throws(StoreError) -> PostgresResult {
        let answer = PostgresResult(result)
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            finalError.discardCommitRejection()
            return answer
        default: break
        }
        finalError.record(result)
        // An error without an SQLSTATE is libpq's: the connection is lost.
        guard let code = field(result, "C") else { throw abandonWithError() }
        let message = field(result, "M") ?? ""
        let position = field(result, "P").flatMap { Int($0) }
        lastRejection = StatementRejection(
            message: message, hint: field(result, "H"), scalarOffset: position.map { $0 - 1 })
        let state = finalError.state(of: code, message)
        if state == "57014", let limit = configuration.statementTimeout, start.duration(to: .now) >= limit,
            !isCancelled
        {
            throw .statementTimeoutError(statement: sql)
        }
        if Self.isStale(state, field(result, "R")) { isStale = true }
        // Use the primary message, which names columns and constraints; the detail field would contain values.
        let error = StoreError.postgresError(state: state, detail: message, statement: sql)
        if error.code == .connectionLost { markBroken() }
        throw error
    }

    /// Returns whether the server rejected a prepared statement as unknown, as after a DISCARD, or because a table has changed since.
    ///
    /// It checks the source field, since the message is in the server's language.
    private static func isStale(_ state: String, _ source: String?) -> Bool {
        state == "26000" || state == "0A000" && source == "RevalidateCachedQuery"
    }

    /// Discards all prepared statements if the server has rejected one as unknown or outdated, and returns whether it did.
    @discardableResult
    func discardStalePreparedStatements() -> Bool {
        guard isStale, isAlive else { return false }
        isStale = false
        prepared.removeAll()
        return (try? execute("DEALLOCATE ALL")) != nil
    }

    private func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    /// Reads the results that libpq has received, one of which can be a final error that arrived while a statement was sent.
    private func readFinalErrors() {
        while PQisBusy(handle) == 0, let result = PQgetResult(handle) {
            defer { PQclear(result) }
            // During a COPY libpq returns such results without end.
            if [PGRES_COPY_IN, PGRES_COPY_OUT].contains(PQresultStatus(result)) { return }
            finalError.record(result)
        }
    }

    /// Marks the connection as lost, and returns the error with the server's or libpq's message.
    func abandonWithError() -> StoreError {
        markBroken()
        readFinalErrors()
        if let state = finalError.state { return .postgresError(state: state, detail: finalError.text) }
        let words = String(cString: PQerrorMessage(handle))
        return .lostConnectionError(words.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
    }
}
#endif
