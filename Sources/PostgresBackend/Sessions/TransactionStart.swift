#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The statements that begin transactions, each kind in one round trip; the last of them answers the store's clock.
///
/// In their texts ``ClockQuery/known`` stands for the end of the history as far as the connection knows it.
struct TransactionStart {
    /// Begins to read.
    ///
    /// The last statement is the first to look at the store, and so pins the moment that is seen. It would pin it before it waits for a
    /// lock, and see rows of before a migration in tables of afterwards: so the lock is taken first, which looks at nothing.
    let reading: [OpeningStatement]
    private let writingOnSnapshot: [OpeningStatement]
    private let writingSerializably: [OpeningStatement]
    /// Begins to write rows that are new without asking for anything, so that they can follow at once.
    let writingBlindly: [String]
    /// Fails where another store has taken this one's place, as a restored backup does, or where the store was migrated to another model:
    /// for a transaction that asks for nothing when it begins.
    let checkingPlace: String
    /// Looks without waiting for anybody.
    let looking: [OpeningStatement]
    /// Answers the clock in a transaction that has begun, where there are many lines to look at.
    fileprivate let longClock: OpeningStatement

    init(
        _ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID, isDistributed: Bool
    ) {
        let query = ClockQuery(configuration, fingerprint: fingerprint, storeID: storeID)
        let looks = "SELECT \(query.answers.joined(separator: ", "))"
        let number = "pg_catalog.pg_current_xact_id()::text"
        // Waits for a migration that changes tables, and makes the next one wait.
        let gate = "LOCK TABLE \(configuration.stored(StoreNames.models)) IN ACCESS SHARE MODE"
        // Waits for any migration, and makes the next one wait until the end of the transaction. Those who remove a store lock the models
        // first too.
        let writersGate = [
            gate, "LOCK TABLE \(configuration.stored(StoreNames.history)) IN ROW EXCLUSIVE MODE",
        ]
        // The session's settings hold neither for a transaction that shares its connection with others' nor on another node.
        let needsSettings = configuration.isPooled || isDistributed
        let settings =
            (isDistributed ? DistributedSchema.settings : [])
            + (needsSettings ? SessionSettings(configuration).transactionStatements : [])
        checkingPlace = "SELECT 1 / (CASE WHEN \(query.isInPlace) THEN 1 ELSE 0 END) FROM \(query.notes)"
            .replacingOccurrences(of: ClockQuery.known, with: "0")
        let clock = "\(looks) FROM \(query.source(limit: ClockQuery.mostLines))"
        longClock = OpeningStatement("\(looks) FROM \(query.source(limit: ClockQuery.mostLinesAtOnce))")
        self.reading =
            (["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] + settings
            + [gate, PostgresConnection.firstMark, clock]).map(OpeningStatement.init)
        let looksToWrite = [
            PostgresConnection.firstMark,
            "\(looks), \(number) FROM \(query.source(limit: ClockQuery.mostLines))",
        ]
        writingOnSnapshot =
            (["BEGIN ISOLATION LEVEL REPEATABLE READ"] + settings + writersGate + looksToWrite)
            .map(OpeningStatement.init)
        // Each commit writes into the history, so it would overtake every serializable transaction that has read the history's end. Such a
        // transaction reads that before it begins, unless its two parts may have different sessions: of the server or of its node.
        let begin = ["BEGIN ISOLATION LEVEL SERIALIZABLE"] + settings + writersGate
        let known = (1...3).map {
            "pg_catalog.split_part(pg_catalog.current_setting('contextcore.clock'), ',', \($0))"
        }
        let serializable =
            needsSettings
            ? begin + looksToWrite
            : [
                "BEGIN ISOLATION LEVEL READ COMMITTED", gate,
                """
                SELECT pg_catalog.set_config('contextcore.clock', concat_ws(',', \(query.answers.joined(separator: ", "))), false) \
                FROM \(query.source(limit: ClockQuery.mostLinesAtOnce))
                """,
                "COMMIT",
            ] + begin + [
                PostgresConnection.firstMark,
                """
                SELECT (CASE WHEN \(query.isInPlace) THEN \(known[0]) ELSE '\(ClockQuery.superseded)' END), \(known[1]), \(known[2]), \
                \(number) FROM \(query.notes)
                """,
            ]
        writingSerializably = serializable.map(OpeningStatement.init)
        writingBlindly = ["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings + writersGate
        looking = (["BEGIN ISOLATION LEVEL READ COMMITTED"] + settings).map(OpeningStatement.init)
    }

    /// Begins to write, on the snapshot that the last statement takes.
    ///
    /// A migration is waited for before, by a lock that looks at nothing. The transaction's number is asked for at once, since it would
    /// be late to ask when the answer to a commit is lost.
    func writing(_ isolation: WriteIsolation) -> [OpeningStatement] {
        switch isolation {
        case .snapshot: writingOnSnapshot
        case .serializable: writingSerializably
        }
    }
}

extension PostgresStore {
    /// Begins a transaction by statements of which the last answers what the clock says.
    func begin(
        _ statements: [OpeningStatement], _ options: SessionOptions, from pool: PostgresPool? = nil,
        mayAskAgain: Bool = true
    ) throws(StoreError) -> (PostgresConnection, ClockReading) {
        let (connection, answer) = try beginAnswering(statements, options, from: pool)
        var clock = ClockReading(answer)
        clock.isFirst = connection.historyEnds[number] == nil
        do throws(StoreError) {
            // Where there is more to look at, as on a new connection, there must not seem to be less.
            var isWhole = !mayAskAgain || clock.lineCount < ClockQuery.mostLines
            while !isWhole {
                let next = ClockReading(try connection.runAll([start.longClock], historyEnd: clock.end))
                isWhole = next.end == clock.end
                (clock.end, clock.unsettled) = (next.end, next.unsettled)
            }
        } catch {
            if connection.isAlive { try? connection.execute("ROLLBACK") }
            (pool ?? self.pool).giveBack(connection)
            throw error
        }
        connection.historyEnds[number] = clock.end
        if pool == nil { upkeep.withLock { $0.see(clock, at: .now) } }
        return (connection, clock)
    }

    /// Begins a transaction, and answers what its last statement says.
    ///
    /// A connection that was idle may have been cut meanwhile; then another is taken, since nothing was begun yet.
    func beginAnswering(
        _ statements: [OpeningStatement], _ options: SessionOptions, from otherPool: PostgresPool? = nil
    ) throws(StoreError) -> (PostgresConnection, PostgresResult) {
        let pool = otherPool ?? self.pool
        var attempts = 0
        while true {
            let connection = try pool.take(
                for: options.identifier, heedsCancellation: options.heedsCancellation)
            do throws(StoreError) {
                if otherPool == nil { keepUp(on: connection) }
                let answer = try connection.runAll(
                    statements, historyEnd: connection.historyEnds[number] ?? 0)
                if answer.number(0) == ClockQuery.superseded { throw try superseded(connection) }
                return (connection, answer)
            } catch let failure {
                connection.heedsCancellation = false
                if connection.isAlive { try? connection.execute("ROLLBACK") }
                let error =
                    failure.isOfMissingTable
                    ? .replacedStore(detail: failure.detail)
                    : failure.namingHolder(of: .migration, on: connection)
                let wasStale = connection.takeStaleness()
                pool.giveBack(connection)
                if wasStale { continue }
                attempts += 1
                if error.code != .connectionLost || attempts > configuration.connections { throw error }
            }
        }
    }

    /// Does what the history needs, if anything.
    func keepUp(on connection: PostgresConnection) {
        guard let work = upkeep.withLock({ $0.next(at: .now) }) else { return }
        if !work.perform(on: connection, of: self) { upkeep.withLock { $0.stop() } }
    }

    /// Looks at the history on a connection that is in no transaction.
    func look(on connection: PostgresConnection) throws(StoreError) {
        let answer = try connection.runAll(start.reading, historyEnd: connection.historyEnds[number] ?? 0)
        try connection.execute("COMMIT")
        let clock = ClockReading(answer)
        if clock.end != ClockQuery.superseded { upkeep.withLock { $0.see(clock, at: .now) } }
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
    ) throws(StoreError) -> (PostgresPool, PostgresConnection, ClockReading) {
        if !options.seesNewest, let replicas, let (connection, clock) = try replicas.begin(self, options) {
            return (replicas.pool, connection, clock)
        }
        let (connection, clock) = try begin(start.reading, options)
        note(clock)
        return (pool, connection, clock)
    }
}

extension ClockReading {
    fileprivate init(_ answer: PostgresResult) {
        self.init(
            end: answer.number(0) ?? 0, unsettled: answer.numbers(1), base: answer.number(2) ?? 0,
            transaction: answer.number(3))
    }
}

extension PostgresResult {
    /// The numbers that a column of the first row lists.
    func numbers(_ place: Int) -> [Int64] {
        guard place < width, count > 0, !isNull(0, place) else { return [] }
        return text(0, place).split(separator: " ").compactMap { Int64($0) }
    }

    /// The number that a column of the first row spells; nil where there is none.
    func number(_ place: Int) -> Int64? {
        place < width && count > 0 && !isNull(0, place) ? Int64(text(0, place)) : nil
    }
}
#endif
