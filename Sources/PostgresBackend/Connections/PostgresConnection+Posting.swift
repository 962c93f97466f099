#if Postgres
import CPostgres
import ContextCore

/// A statement that was sent, and what is expected of its answer.
struct PostedStatement {
    let sql: String
    /// The values, where a log asks for them.
    var parameters: PostgresParameters?
    /// What it was prepared as, where that was sent with it.
    var shape: PreparedNames.Shape?
    /// How many rows it has to change; nil for any number.
    var count: Int?
    /// Whether its rows are wanted as soon as they are there; of all others only the last.
    var isWantedAtOnce = false
    /// Whether it reads the store's clock for the transaction whose first query follows it.
    var readsClock = false
}

/// The beginning of a transaction that was posted, and waits for a first query to go to the server in the same round trip.
struct PostedOpening {
    /// The number up to which the connection knew the history.
    let known: Int64
    /// What the clock says; nil until it was read, and where it takes another query to know.
    private(set) var clock: ClockReading?

    init(known: Int64) { self.known = known }

    mutating func readClock(_ answer: PostgresResult) {
        guard answer.number(0) == known else { return }
        let (reading, isWhole) = ClockReading.quick(answer, known: known)
        if isWhole { clock = reading }
    }
}

/// Statements that are sent one after the other and heard of together: one round trip for all of them.
///
/// Their answers are small, so that neither side has to wait for the other to read. Where libpq has no pipelines, each
/// statement is waited for.
extension PostgresConnection {
    /// Sends a statement; what comes of it is known when the next one is run or ``settle()`` is called.
    ///
    /// - Parameter count: How many rows it has to change; nil for any number.
    func post(
        _ sql: String, _ parameters: PostgresParameters = PostgresParameters(), changing count: Int? = nil
    ) throws(StoreError) {
        try parameters.check()
        guard try enterPipeline() else {
            let result = try run(sql, parameters)
            if let count, result.changedRows != count { isAsPosted = false }
            if result.width > 0 { postedRows = result }
            return
        }
        postedBytes += parameters.byteCount
        if postedBytes > Self.mostPostedBytes { try drain() }
        guard preparesStatements else {
            return try send(PostedStatement(sql: sql, count: count), parameters)
        }
        let shape = PreparedNames.Shape(sql: sql, types: parameters.types)
        if let name = prepared[shape] { return try send(sql, parameters, as: name, nil, changing: count) }
        let (name, forgotten) = prepared.add(shape)
        if let forgotten { forgottenNames.append(forgotten) }
        try send(sql, parameters, as: name, shape, changing: count)
    }

    /// How many bytes of values libpq may hold for a server that is slower than the program; it could hold two gigabytes.
    private static let mostPostedBytes = 8 * 1024 * 1024

    /// Waits until the server has taken what was posted.
    ///
    /// - Throws: `StoreError.Code.cancelled` where the task that posts was cancelled. Statements that the server runs are not
    ///   interrupted, as others may rely on them; where only waits are cancelled, its wait for a lock is.
    private func drain() throws(StoreError) {
        if heedsCancellation, Task.isCancelled {
            throw .postgres(state: "57014", detail: "cancelled while rows were sent")
        }
        let heeds = heedsCancellation
        heedsCancellation = heeds && cancelsOnlyWaits
        defer { heedsCancellation = heeds }
        var watch = startWatch()
        try flush(&watch)
        postedBytes = 0
    }

    /// Begins to send statements one after the other, those that are owed first; false where libpq can't.
    func enterPipeline() throws(StoreError) -> Bool {
        try part()
        if posted.isEmpty {
            if PQenterPipelineMode(handle) == 0 { return false }
            postedSince = .now
        }
        let owed = takeOwed()
        if !owed.isEmpty {
            for statement in owed { try post(statement) }
            try shield()
        }
        return true
    }

    /// Sends a statement as it is.
    func send(_ statement: PostedStatement, _ parameters: PostgresParameters) throws(StoreError) {
        let isSent = parameters.withValues { values, lengths, formats in
            PQsendQueryParams(
                handle, statement.sql, Int32(parameters.count), parameters.types, values, lengths, formats, 1)
        }
        posted.append(statement)
        keepValuesForLog(parameters)
        if isSent == 0 { throw lost() }
    }

    /// Sends a statement that is prepared, or is to be: then it has a shape.
    private func send(
        _ sql: String, _ parameters: PostgresParameters, as name: String, _ shape: PreparedNames.Shape?,
        changing count: Int?
    ) throws(StoreError) {
        let isPrepared =
            shape == nil || PQsendPrepare(handle, name, sql, Int32(parameters.count), parameters.types) == 1
        let isSent = parameters.withValues { values, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(parameters.count), values, lengths, formats, 1)
        }
        posted.append(PostedStatement(sql: sql, shape: shape, count: count))
        keepValuesForLog(parameters)
        if !isPrepared || isSent == 0 { throw lost() }
    }

    /// Keeps the values of the statement that was posted last, where a log asks for them.
    private func keepValuesForLog(_ parameters: PostgresParameters) {
        guard let log = configuration.statementLog, log.includesValues, !posted.isEmpty else { return }
        posted[posted.count - 1].parameters = parameters
    }

    /// Has the server say when it has done what was posted so far, which nobody cancels before: others rely on it.
    func shield() throws(StoreError) {
        if posted.isEmpty { return }
        shieldedCount = posted.count
        if PQsendFlushRequest(handle) == 0 { throw lost() }
    }

    /// Runs statements without values in one round trip, and answers the last rows that any of them answers.
    ///
    /// They are prepared, so that a server plans them once.
    ///
    /// - Parameter historyEnd: What ``ClockQuery/known`` stands for in them.
    func runAll(_ statements: [OpeningStatement], historyEnd: Int64) throws(StoreError) -> PostgresResult {
        guard preparesStatements else {
            let text = statements.map(\.sql).joined(separator: "; ")
            return try simply(text.replacingOccurrences(of: ClockQuery.known, with: "\(historyEnd)"))
        }
        try settleDown()
        postedRows = nil
        var parameters = PostgresParameters()
        parameters.append(historyEnd)
        for statement in statements {
            try post(statement.sql, statement.takesHistoryEnd ? parameters : PostgresParameters())
        }
        try collect()
        defer { postedRows = nil }
        guard let postedRows else { throw lost() }
        return postedRows
    }

    /// Posts the statements that begin a transaction, for a first query to follow; false where that can't be done.
    ///
    /// - Parameter known: What ``ClockQuery/known`` stands for in them.
    func postOpening(_ statements: [OpeningStatement], known: Int64) throws(StoreError) -> Bool {
        guard preparesStatements else { return false }
        try settleDown()
        guard try enterPipeline() else { return false }
        opening = PostedOpening(known: known)
        var parameters = PostgresParameters()
        parameters.append(known)
        for statement in statements {
            try post(statement.sql, statement.takesHistoryEnd ? parameters : PostgresParameters())
        }
        posted[posted.count - 1].readsClock = true
        return true
    }

    /// Runs a transaction's first query in the round trip that begins the transaction.
    ///
    /// - Throws: `StoreError.Code.contention` where the clock says that the store may have another model now, whose rows can't be read.
    func runBehindOpening(
        _ sql: String, _ parameters: PostgresParameters, keepsPlan: Bool
    ) throws(StoreError) -> PostgresResult {
        postedRows = nil
        defer { postedRows = nil }
        if keepsPlan {
            try post(sql, parameters)
        } else {
            try send(PostedStatement(sql: sql), parameters)
        }
        try collect()
        guard opening?.clock != nil else {
            throw StoreError(.contention, "The transaction has to begin anew.", remedy: "Save again.")
        }
        guard let postedRows else { throw lost() }
        return postedRows
    }

    /// Runs queries in one round trip, and hands over what each answers as soon as it is there.
    func run(
        _ queries: [String], _ take: (PostgresResult) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard try enterPipeline() else {
            for query in queries { try take(run(query)) }
            return
        }
        for query in queries {
            try send(PostedStatement(sql: query, isWantedAtOnce: true), PostgresParameters())
        }
        try collect(take)
    }

    /// Waits for everything that was posted; false where something has changed more or fewer rows than it should.
    func settle() throws(StoreError) -> Bool {
        try collect()
        defer { isAsPosted = true }
        return isAsPosted
    }

    /// Waits for everything that was posted.
    ///
    /// - Parameter take: Takes rows that are wanted as soon as they are there, while the server works on.
    /// - Throws: the first error. The statements after it have not been run.
    func collect(
        _ take: (PostgresResult) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws(StoreError) {
        if posted.isEmpty { return }
        let forgotten = forgottenNames
        forgottenNames = []
        // Last, since a server looks at data for it, and a transaction's beginning must come before that.
        for name in forgotten {
            try send(PostedStatement(sql: "DEALLOCATE \(name)"), PostgresParameters())
        }
        let (statements, shielded, heeds) = (posted, shieldedCount, heedsCancellation)
        (posted, shieldedCount) = ([], 0)
        defer { heedsCancellation = heeds }
        roundTrips += 1
        postedBytes = 0
        let start = postedSince
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        var failure: StoreError?
        var unprepared: [PreparedNames.Shape] = []
        var turn = configuration.statementLog == nil ? start : .now
        for (place, statement) in statements.enumerated() {
            heedsCancellation = heeds && place >= shielded
            let hadFailed = failure != nil
            if let shape = statement.shape, try answer(statement.sql, &failure, since: start) == nil {
                unprepared.append(shape)
            }
            let answered = try answer(statement.sql, &failure, since: start)
            if let log = configuration.statementLog, !hadFailed {
                log.report(statement.sql, statement.parameters, answered, since: turn)
                turn = .now
            }
            guard let result = answered else { continue }
            if statement.readsClock {
                opening?.readClock(result)
                continue
            }
            if statement.isWantedAtOnce {
                do throws(StoreError) { try take(result) } catch { failure = failure ?? error }
                continue
            }
            if result.width > 0 { postedRows = result }
            if let count = statement.count, result.changedRows != count { isAsPosted = false }
        }
        PQclear(try nextResult())
        if isRinging {
            // What follows the commit is heard of when the connection is used again.
            guard failure != nil || PQflush(handle) != 0 else { return }
            try part()
        } else if !isAlive || PQexitPipelineMode(handle) == 0 {
            throw failure ?? lost()
        }
        guard let failure else { return }
        isAsPosted = true
        // What was to be done after the error was not.
        for shape in unprepared { prepared.forget(shape) }
        forgottenNames += forgotten
        throw failure
    }

    /// The next answer, and the null pointer that follows it; nil after an error, of which the first is kept.
    private func answer(
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
            // What a lost connection still holds says no more.
            if isBroken { throw error }
            PQclear(try nextResult())
            return nil
        }
        PQclear(try nextResult())
        return answer
    }
}
#endif
