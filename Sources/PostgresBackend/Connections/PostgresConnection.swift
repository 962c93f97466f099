#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

/// One connection to a server, used by one thread at a time.
final class PostgresConnection {
    let handle: OpaquePointer
    /// The configuration of the store that uses it.
    private(set) var configuration: PostgresConfiguration
    /// The server's side of it.
    let process: ServerProcess
    private let lastWords = LastWords()
    var prepared = PreparedNames()
    /// The statements that were sent and not heard of yet.
    var posted: [PostedStatement] = []
    /// When the first of them was sent.
    var postedSince = ContinuousClock.now
    /// How many of them are done whatever becomes of the others.
    var shieldedCount = 0
    /// Whether all that was posted since it was last asked for has changed as many rows as it should.
    var isAsPosted = true
    /// What the savepoint is called that is set after everything that is to stay.
    var mark = usualMark
    /// The names of statements that the server has prepared and nobody runs any more.
    var forgottenNames: [String] = []
    /// What the next statement of the transaction has to be preceded by, and a commit needn't.
    var owed: [String] = []
    /// The last rows that were answered to what was posted.
    var postedRows: PostgresResult?
    /// The beginning of a transaction that was posted without waiting for it; nil once the transaction is known to have begun.
    var opening: PostedOpening?
    /// How much of the rows that flow to it the server had read when it was last asked; nil where none do.
    var copiedBytes: Int64?
    /// When the server began with its work, at the last inquiry that found it waiting for this connection; nil before there was one.
    var workBegun: Int64?
    /// How many bytes of values were posted since the server was last known to have taken all.
    var postedBytes = 0
    /// How often the server was waited for.
    var roundTrips = 0
    /// When something came from the server the last time, or it took something.
    var lastSign = ContinuousClock.now
    /// Whether a statement ends when the task that runs it is cancelled.
    var heedsCancellation = false
    /// Whether it ends then only as long as it waits for a lock, since it commits afterwards.
    var cancelsOnlyWaits = false
    /// Up to which number the history of each store that has used it is known to have no gaps.
    var historyEnds: [PostgresStore.Number: Int64] = [:]
    /// Whether a COMMIT was sent, and not heard of.
    private(set) var isInDoubt = false
    /// Whether the server may still have a process that waits for this connection, which was given up.
    var leavesOrphan = false
    /// Whether the end of a transaction was sent that nobody waits for.
    private var isParting = false
    /// Whether a statement was sent behind a commit that nobody waits for.
    private(set) var isRinging = false
    /// Whether it is of no use any more, whatever libpq believes.
    private(set) var isBroken = false
    /// Whether the server has refused a prepared statement that it doesn't know, or can't use any more.
    private var isStale = false
    /// Whether somebody else can be asked about it: not so for one that is made to ask about others.
    let mayInquire: Bool

    /// Connects, and waits until the server has answered.
    init(_ configuration: PostgresConfiguration, mayInquire: Bool = true) throws(StoreError) {
        let name = ServerProcess.freshName()
        handle = try Connecting(configuration: configuration, name: name).connect()
        self.configuration = configuration
        // Behind a pooler a process serves others too.
        self.mayInquire = mayInquire && !configuration.isPooled
        process = ServerProcess(number: PQbackendPID(handle), name: name)
        lastWords.listen(to: handle)
        // Nothing waits inside of libpq, which would wait for ever.
        PQsetnonblocking(handle, 1)
    }

    deinit { PQfinish(handle) }

    /// Another store uses it from here on, in a schema of its own.
    func serve(_ configuration: PostgresConfiguration) { self.configuration = configuration }

    /// The server's version, as libpq has it: 150018 for 15.18.
    var serverVersion: Int32 { PQserverVersion(handle) }

    var preparesStatements: Bool { configuration.preparesStatements && !configuration.isPooled }

    // MARK: State

    /// Whether a transaction is open, or has failed and waits for its end.
    var isInTransaction: Bool {
        if isParting || isRinging { return false }
        let status = PQtransactionStatus(handle)
        return status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE
    }

    /// Whether a statement of the open transaction has failed, so that the server takes no others.
    var hasFailedStatement: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// How long a server that was just heard is taken to be there without another look.
    private static let memory = Duration.milliseconds(2)

    /// Whether the server is still there, as far as anybody has noticed.
    var isAlive: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }

    /// Looks, without waiting, whether the server has ended a connection that waits for no answer.
    func notesItsEnd() -> Bool {
        while isAlive, Socket(PQsocket(handle)).wait(for: Int16(POLLIN), .zero) {
            if PQconsumeInput(handle) == 0 { abandon() }
            // Lets libpq read what has come: the server's last words may be among it.
            _ = PQisBusy(handle)
        }
        return !isAlive
    }

    /// What it waits on for the server.
    var socket: Int32 { PQsocket(handle) }

    /// The next notification that has been read; nil where there is none.
    func nextNotification() -> ServerNotification? {
        guard let notification = PQnotifies(handle) else { return nil }
        defer { PQfreemem(notification) }
        return ServerNotification(
            channel: notification.pointee.relname.map { String(cString: $0) } ?? "",
            payload: notification.pointee.extra.map { String(cString: $0) } ?? "")
    }

    /// From here on it is taken for lost.
    func abandon() { isBroken = true }

    /// Lets the server know that nobody uses it any more, even though a session may still remember it.
    func hangUp() {
        abandon()
        shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    }

    // MARK: Running

    /// Runs statements without values, several at once if need be.
    func execute(_ sql: String) throws(StoreError) { _ = try simply(sql) }

    /// Runs statements without values in one round trip, and answers the number that the last of them answers that answers any.
    func integer(_ sql: String) throws(StoreError) -> Int64? {
        let answer = try simply(sql)
        // Without values everything crosses as text.
        return answer.count == 0 || answer.isNull(0, 0) ? nil : Int64(answer.text(0, 0))
    }

    /// Commits the open transaction.
    ///
    /// - Throws: `StoreError.Code.connectionLost` where nobody knows what has become of it, and `isInDoubt` is true then.
    func commit() throws(StoreError) {
        isInDoubt = false
        owed = []
        // A server that is gone by now can't have been told.
        try settleDown()
        try sendCommit()
    }

    /// Commits the open transaction after some last statements, in the same round trip if libpq can.
    ///
    /// The transaction goes on where one of the statements fails, with what it did before.
    ///
    /// - Parameter bell: A statement that rings for other processes once it is committed.
    /// - Returns: The last rows that any of them answers.
    /// - Throws: as ``commit()`` does.
    func commit(
        ringing bell: String?, after post: () throws(StoreError) -> Void
    ) throws(StoreError) -> PostgresResult? {
        isInDoubt = false
        try settleDown()
        postedRows = nil
        defer { postedRows = nil }
        guard try enterPipeline() else {
            try post()
            let rows = postedRows
            try sendCommit()
            if let bell { try? execute(bell) }
            return rows
        }
        try post()
        return try commitPosted(ringing: bell)
    }

    /// Commits behind what was posted, and waits for all of it; answers the last rows that any statement answers.
    ///
    /// The bell is rung by a transaction of its own behind it, which nobody waits for: one that rings keeps all others of the server that
    /// ring from committing, until it is on the disk itself.
    func commitPosted(ringing bell: String?) throws(StoreError) -> PostgresResult? {
        // What would be sent behind the commit could fail when that has not.
        let forgotten = forgottenNames
        forgottenNames = []
        defer { forgottenNames += forgotten }
        isInDoubt = true
        try send(PostedStatement(sql: "COMMIT"), PostgresParameters())
        if let bell {
            if PQpipelineSync(handle) == 0 { throw lost() }
            isRinging = true
            if PQsendQueryParams(handle, bell, 0, nil, nil, nil, nil, 1) == 0 { throw lost() }
        }
        try collect()
        isInDoubt = false
        return postedRows
    }

    private func sendCommit() throws(StoreError) {
        isInDoubt = true
        let answer = try simply("COMMIT")
        isInDoubt = false
        if answer.command == "COMMIT" { return }
        // So a server answers where a statement of the transaction has failed.
        throw StoreError(
            .database, "A statement of the transaction has failed, so nothing of it was saved.",
            remedy: "Save again.", detail: "The server answered \(answer.command).")
    }

    /// Hears of what was posted, and of the server's end: what the server says of that is lost once a statement was sent.
    func settleDown() throws(StoreError) {
        try part()
        try collect()
        if notesItsEnd() { throw lost() }
    }

    /// Ends a transaction that has changed nothing; whoever uses the connection next hears of it.
    func finishReading() {
        guard isAlive, posted.isEmpty, isInTransaction else { return }
        guard PQsendQuery(handle, "COMMIT") == 1 else { return abandon() }
        isParting = true
        if PQflush(handle) != 0 { try? part() }
    }

    /// Hears of the end of the transaction before; one that the server has not ended is of no use to anybody.
    func part() throws(StoreError) {
        guard isParting || isRinging else { return }
        let heeds = heedsCancellation
        heedsCancellation = false
        defer { heedsCancellation = heeds }
        if isRinging { try hearRing() }
        guard isParting else { return }
        isParting = false
        while let result = try nextResult() {
            lastWords.note(result)
            PQclear(result)
        }
        if PQtransactionStatus(handle) != PQTRANS_IDLE { throw lost() }
    }

    /// Hears of the statement behind a commit, of which it doesn't matter what has become.
    private func hearRing() throws(StoreError) {
        isRinging = false
        var isLast = false
        while !isLast {
            var next = try nextResult()
            // There is a null pointer after the results of each statement.
            if next == nil { next = try nextResult() }
            guard let result = next else { throw lost() }
            isLast = PQresultStatus(result) == PGRES_PIPELINE_SYNC
            lastWords.note(result)
            PQclear(result)
        }
        if PQexitPipelineMode(handle) == 0 { throw lost() }
    }

    /// Does something in one transaction, which sees the settings that statements rely on.
    func inTransaction<Answer>(_ work: () throws(StoreError) -> Answer) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try inOneTransaction(work)
        } catch {
            if !takeStaleness() { throw error }
        }
        return try inOneTransaction(work)
    }

    private func inOneTransaction<Answer>(
        _ work: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        let settings =
            configuration.isPooled ? SessionSettings(configuration).transactionStatements : []
        try execute((["BEGIN"] + settings).joined(separator: "; "))
        do throws(StoreError) {
            let answer = try work()
            try commit()
            return answer
        } catch {
            if isAlive && isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    func simply(_ sql: String) throws(StoreError) -> PostgresResult {
        try settleDown()
        // What is owed must not be cancelled together with what follows it.
        if heedsCancellation { try payOwed() }
        let sql = (takeOwed() + [sql]).joined(separator: "; ")
        roundTrips += 1
        let start = ContinuousClock.now
        guard PQsendQuery(handle, sql) == 1 else { throw lost() }
        return try answer(to: sql, since: start)
    }

    /// Takes over what the next statement has to be preceded by.
    func takeOwed() -> [String] {
        if owed.isEmpty { return [] }
        defer { owed = [] }
        return owed
    }

    /// Runs what is owed, which nobody cancels: others may rely on it.
    func payOwed() throws(StoreError) {
        if owed.isEmpty { return }
        let heeds = heedsCancellation
        heedsCancellation = false
        defer { heedsCancellation = heeds }
        try execute(takeOwed().joined(separator: "; "))
    }

    /// Runs a statement with values.
    ///
    /// - Parameter keepsPlan: Whether the server may keep its plan for the next time; otherwise it makes one for these values.
    @discardableResult
    func run(
        _ sql: String, _ parameters: PostgresParameters = PostgresParameters(), keepsPlan: Bool = true
    ) throws(StoreError) -> PostgresResult {
        do throws(StoreError) {
            return try runOnce(sql, parameters, keepsPlan: keepsPlan)
        } catch {
            // In a transaction that has failed now, it is for those who can undo a part of it to try again.
            if isInTransaction || !takeStaleness() { throw error }
        }
        return try runOnce(sql, parameters, keepsPlan: keepsPlan)
    }

    private func runOnce(
        _ sql: String, _ parameters: PostgresParameters, keepsPlan: Bool
    ) throws(StoreError) -> PostgresResult {
        try parameters.check()
        if opening != nil, !posted.isEmpty {
            return try runBehindOpening(sql, parameters, keepsPlan: keepsPlan)
        }
        try part()
        try collect()
        // A statement that changes nothing by being lost needs no look at a server that has just spoken.
        if lastSign.duration(to: .now) > Self.memory, notesItsEnd() { throw lost() }
        try payOwed()
        let isSent: Int32
        var start = ContinuousClock.now
        if keepsPlan && preparesStatements {
            let name = try self.name(of: sql, parameters)
            start = .now
            roundTrips += 1
            isSent = parameters.withValues { values, lengths, formats in
                PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
            }
        } else {
            roundTrips += 1
            isSent = parameters.withValues { values, lengths, formats in
                PQsendQueryParams(
                    handle, sql, Int32(parameters.count), parameters.types, values, lengths, formats, 1)
            }
        }
        guard isSent == 1 else { throw lost() }
        return try answer(to: sql, parameters, since: start)
    }

    /// Runs a statement as a compiler made it.
    @discardableResult
    func run(_ text: SQLText) throws(StoreError) -> PostgresResult {
        try run(text.sql, try PostgresParameters(text.bindings))
    }

    /// The name of a prepared statement; prepares it where it is met for the first time.
    private func name(of sql: String, _ parameters: PostgresParameters) throws(StoreError) -> String {
        let shape = PreparedNames.Shape(sql: sql, types: parameters.types)
        if let known = prepared[shape] { return known }
        let (name, forgotten) = prepared.add(shape)
        if let forgotten { try execute("DEALLOCATE \(forgotten)") }
        roundTrips += 1
        let start = ContinuousClock.now
        guard PQsendPrepare(handle, name, sql, Int32(parameters.count), parameters.types) == 1 else {
            throw lost()
        }
        do throws(StoreError) {
            _ = try answer(to: sql, since: start, isLogged: false)
        } catch {
            prepared.forget(shape)
            throw error
        }
        return name
    }

    // MARK: Answers

    /// Waits for everything that a statement answers; of several statements the last counts that answers rows, or the one that failed.
    ///
    /// - Parameters:
    ///   - parameters: The values, for a log; no error tells them.
    ///   - start: When the statement was sent: the server measures how long it takes from then on.
    ///   - isLogged: Whether a log is told of it, as it is of all but preparations.
    func answer(
        to sql: String, _ parameters: PostgresParameters? = nil, since start: ContinuousClock.Instant,
        isLogged: Bool = true
    ) throws(StoreError) -> PostgresResult {
        var last: PostgresResult?
        var failure: StoreError?
        while let result = try nextResult() {
            do throws(StoreError) {
                let next = try checked(result, sql, since: start)
                if next.width > 0 || last?.width ?? 0 == 0 { last = next }
            } catch {
                failure = failure ?? error
            }
        }
        if isLogged, let log = configuration.statementLog { log.report(sql, parameters, last, since: start) }
        if let failure { throw failure }
        guard let last else { throw lost() }
        return last
    }

    func checked(
        _ result: OpaquePointer, _ sql: String, since start: ContinuousClock.Instant
    ) throws(StoreError) -> PostgresResult {
        let answer = PostgresResult(result)
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
            lastWords.forgetRefusal()
            return answer
        default: break
        }
        lastWords.note(result)
        // Without a state it is libpq that says something: that the connection is gone.
        guard let code = field(result, "C") else { throw lost() }
        let message = field(result, "M") ?? ""
        let state = lastWords.state(of: code, message)
        if state == "57014", let limit = configuration.statementTimeout, start.duration(to: .now) >= limit,
            !(heedsCancellation && Task.isCancelled)
        {
            throw .late(statement: sql)
        }
        if Self.isStale(state, field(result, "R")) { isStale = true }
        // The primary message names columns and constraints; the detail below it would quote values.
        let error = StoreError.postgres(state: state, detail: message, statement: sql)
        if error.code == .connectionLost { abandon() }
        throw error
    }

    /// Whether a statement was refused because the server doesn't know it by its name any more, as after a DISCARD, or because a table
    /// was changed since it was prepared; the message would be in the server's language.
    private static func isStale(_ state: String, _ source: String?) -> Bool {
        state == "26000" || state == "0A000" && source == "RevalidateCachedQuery"
    }

    /// Whether a statement was refused since the last time that would not be now: all are prepared anew from here on.
    @discardableResult
    func takeStaleness() -> Bool {
        guard isStale, isAlive else { return false }
        isStale = false
        prepared.forgetAll()
        forgottenNames = []
        return (try? execute("DEALLOCATE ALL")) != nil
    }

    private func field(_ result: OpaquePointer, _ code: Unicode.Scalar) -> String? {
        PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }

    /// Takes what libpq has read already: the server's last words are taken for an answer if they come while something is being sent.
    private func hearLastWords() {
        while PQisBusy(handle) == 0, let result = PQgetResult(handle) {
            defer { PQclear(result) }
            // While rows flow there is no end of such results.
            if [PGRES_COPY_IN, PGRES_COPY_OUT].contains(PQresultStatus(result)) { return }
            lastWords.note(result)
        }
    }

    /// The error of a connection that libpq has found broken.
    func lost() -> StoreError {
        abandon()
        hearLastWords()
        if let state = lastWords.state { return .postgres(state: state, detail: lastWords.text) }
        let words = String(cString: PQerrorMessage(handle))
        return .lostConnection(words.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
    }
}
#endif
