#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The statements that begin a transaction in one round trip; the last one reads the store's clock.
struct TransactionOpening {
    /// All but the last.
    fileprivate let statements: [OpeningStatement]
    /// Reads the clock.
    fileprivate let clock: OpeningStatement
    /// Reads the clock on a connection that has read it before; nil where that takes the same query.
    fileprivate var quickClock: OpeningStatement?

    /// The statement that reads the clock on a connection that knows the history up to a number.
    fileprivate func quickClock(after known: Int64) -> OpeningStatement? {
        // It finds out that nothing is missing by the record of that number, and there is none of 0.
        known > 0 ? quickClock : nil
    }
}

/// The statements that begin transactions of each kind.
///
/// In their texts ``ClockQuery/known`` stands for the end of the history as far as the connection knows it.
struct TransactionStart {
    /// Begins to read.
    ///
    /// The last statement is the first that reads a table, and so takes the snapshot. If it had to wait for a lock, the snapshot would be
    /// older than the lock, and the transaction could read rows from before a migration out of tables from after it. So the lock is
    /// acquired first, by a statement that reads nothing.
    let reading: TransactionOpening
    private let writingOnSnapshot: TransactionOpening
    private let writingSerializably: TransactionOpening
    /// Begins to insert rows without a query, so that the insertions can follow at once.
    let writingBlindly: [String]
    /// Fails where another store has replaced this one, as a restored backup does, or where the store was migrated to another model:
    /// for a transaction that begins without a query.
    let checkingPlace: String
    /// Begins to read without waiting for locks.
    let looking: [OpeningStatement]
    /// Reads the clock in a transaction that has begun, where there are many records to look at.
    fileprivate let longClock: OpeningStatement

    init(
        _ configuration: PostgresConfiguration, fingerprint: String, storeID: UUID, isDistributed: Bool
    ) {
        let query = ClockQuery(configuration, fingerprint: fingerprint, storeID: storeID)
        // Waits for a migration that changes tables, and makes the next one wait.
        let gate = "LOCK TABLE \(configuration.stored(StoreNames.models)) IN ACCESS SHARE MODE"
        // Waits for any migration, and makes the next one wait until the end of the transaction. A program that removes a store locks the
        // models first too.
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
        longClock = OpeningStatement(query.text(limit: ClockQuery.mostRecordsAtOnce))
        reading = Self.opening(
            ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"] + settings + [gate],
            query.text(limit: ClockQuery.mostRecords), isDistributed ? nil : query.quickText())
        writingOnSnapshot = Self.opening(
            ["BEGIN ISOLATION LEVEL REPEATABLE READ"] + settings + writersGate,
            query.text(Self.transactionNumber, limit: ClockQuery.mostRecords),
            // A cluster would plan each of its subqueries apart.
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
            statements: (statements + [PostgresConnection.firstMark]).map(OpeningStatement.init),
            clock: OpeningStatement(clock), quickClock: quickClock.map(OpeningStatement.init))
    }

    /// Statements that read the clock before a serializable transaction, and keep what they read in a setting of the session.
    ///
    /// Each commit inserts into the history, so it would conflict with every serializable transaction that has read the history's end.
    /// A transaction whose two parts may have different sessions, of the server or of its node, can't be spared that.
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

    /// Reads in the transaction what ``clockBeforehand(_:_:)`` has kept.
    private static func rememberedClock(_ query: ClockQuery) -> String {
        let parts = (1...3).map {
            "pg_catalog.split_part(pg_catalog.current_setting('contextcore.clock'), ',', \($0))"
        }
        return """
            SELECT (CASE WHEN \(query.isInPlace) THEN \(parts[0]) ELSE '\(ClockQuery.superseded)' END), \(parts[1]), \(parts[2]), \
            \(transactionNumber) FROM \(query.notes)
            """
    }

    /// Begins to write, on the snapshot that the last statement takes.
    ///
    /// A migration is waited for before, by a lock that looks at nothing. The transaction's number is asked for at once, since it would
    /// be late to ask when the answer to a commit is lost.
    func writing(_ isolation: WriteIsolation) -> TransactionOpening {
        switch isolation {
        case .snapshot: writingOnSnapshot
        case .serializable: writingSerializably
        }
    }
}

extension PostgresStore {
    /// Begins a transaction, and reads the store's clock.
    ///
    /// - Parameter mayAskAgain: Whether a second query may follow where the first one did not look at all records.
    func begin(
        _ opening: TransactionOpening, _ options: SessionOptions, from pool: PostgresPool? = nil,
        mayAskAgain: Bool = true
    ) throws(StoreError) -> (PostgresConnection, ClockReading) {
        let (connection, known, answer) = try beginAnswering(options, from: pool) { known in
            opening.statements + [known.flatMap(opening.quickClock(after:)) ?? opening.clock]
        }
        var clock: ClockReading
        do throws(StoreError) {
            var isWhole: Bool
            if let known, opening.quickClock(after: known) != nil {
                (clock, isWhole) = ClockReading.quick(answer, known: known)
            } else {
                clock = ClockReading(answer)
                isWhole = clock.recordCount < ClockQuery.mostRecords
            }
            clock.isFirst = known == nil
            while !isWhole, mayAskAgain {
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

    /// Begins a transaction and runs its first query in the same round trip.
    ///
    /// - Returns: nil, with nothing begun, where that can't be done; ``begin(_:_:from:mayAskAgain:)`` can, or finds out why not.
    /// - Throws: the query's error, or that of the wait for a migration; nothing has begun then.
    func begin<Answer>(
        _ opening: TransactionOpening, _ options: SessionOptions,
        with query: (PostgresConnection) throws -> Answer
    ) throws -> (PostgresConnection, ClockReading, Answer)? {
        guard opening.quickClock != nil else { return nil }
        let connection = try pool.take(
            for: options.identifier, heedsCancellation: options.heedsCancellation)
        keepUp(on: connection)
        do {
            if let known = connection.historyEnds[number], let quickClock = opening.quickClock(after: known),
                try connection.postOpening(opening.statements + [quickClock], known: known)
            {
                let answer = try query(connection)
                try connection.collect()
                if let clock = connection.opening?.clock {
                    connection.opening = nil
                    connection.historyEnds[number] = clock.end
                    upkeep.withLock { $0.see(clock, at: .now) }
                    return (connection, clock, answer)
                }
            }
            _ = giveBackUnused(connection)
            return nil
        } catch {
            let hasBegun = connection.opening?.clock != nil
            let isFinal = hasBegun || (error as? StoreError)?.isOfTheWait ?? true
            let failure = (error as? StoreError)?.namingHolder(of: .migration, on: connection) ?? error
            if giveBackUnused(connection) || !isFinal { return nil }
            throw failure
        }
    }

    /// Gives a connection back on which nothing has begun after all; true where a prepared statement had become unusable.
    private func giveBackUnused(_ connection: PostgresConnection) -> Bool {
        (connection.heedsCancellation, connection.opening) = (false, nil)
        _ = try? connection.settle()
        if connection.isAlive, connection.isInTransaction { try? connection.execute("ROLLBACK") }
        defer { pool.giveBack(connection) }
        return connection.takeStaleness()
    }

    /// Begins a transaction, and returns the rows of its last statement, and how far the connection knew the history.
    ///
    /// The server may have closed a connection that was idle; then another one is used, since nothing has begun yet.
    func beginAnswering(
        _ options: SessionOptions, from otherPool: PostgresPool? = nil,
        _ statements: (_ known: Int64?) -> [OpeningStatement]
    ) throws(StoreError) -> (PostgresConnection, known: Int64?, PostgresResult) {
        let pool = otherPool ?? self.pool
        var attempts = 0
        while true {
            let connection = try pool.take(
                for: options.identifier, heedsCancellation: options.heedsCancellation)
            do throws(StoreError) {
                if otherPool == nil { keepUp(on: connection) }
                let known = connection.historyEnds[number]
                let answer = try connection.runAll(statements(known), historyEnd: known ?? 0)
                if answer.number(0) == ClockQuery.superseded { throw try superseded(connection) }
                return (connection, known, answer)
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
        let answer = try connection.runAll(
            start.reading.statements + [start.reading.clock], historyEnd: connection.historyEnds[number] ?? 0)
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

    /// What the shorter query has read, and whether it has seen all records.
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
