#if Postgres
import ContextCore
import Foundation
import SQLStore

/// A write session: one connection, in a transaction of its own.
final class PostgresWriteSession: OneTripSession {
    let store: PostgresStore
    private let options: SessionOptions
    /// The transaction, once it has begun.
    private var begun: Begun?
    /// The numbers of the session's saves, once it has committed.
    private var committed: [Int64] = []
    /// Whether anything was asked for since the transaction began.
    private var isUsed = false
    private var hasEnded = false

    struct Begun {
        let connection: PostgresConnection
        let transaction: WriteTransaction
    }

    /// Begins the transaction, in one round trip; or waits with that until it is asked for something.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        self.options = options
        if !options.mayBeginLate { try begin() }
    }

    deinit { end() }

    var token: StoreToken {
        token(committed.last ?? begun?.transaction.clock.end ?? store.newestEnd)
    }

    var unsettled: [StoreToken] { begun?.transaction.clock.unsettled.map(token) ?? [] }

    var transactions: [StoreToken] { committed.map(token) }

    private func token(_ number: Int64) -> StoreToken { StoreToken(storeID: store.storeID, sequence: number) }

    // MARK: Beginning

    private var isolation: WriteIsolation { options.isolation ?? store.configuration.isolation }

    /// The transaction, for whatever is asked for; it begins now if it has not.
    func open() throws(StoreError) -> Begun {
        let begun = try begin()
        isUsed = true
        return begun
    }

    @discardableResult
    private func begin() throws(StoreError) -> Begun {
        try checkUsable()
        if let begun { return begun }
        let (connection, clock) = try store.begin(
            store.start.writing(isolation), options,
            // A serializable transaction that has read the history would be overtaken by all others.
            mayAskAgain: isolation == .snapshot)
        return start(on: connection, after: clock)
    }

    /// Uses a connection on which the transaction has begun.
    @discardableResult
    private func start(on connection: PostgresConnection, after clock: ClockReading) -> Begun {
        store.note(clock)
        let begun = Begun(
            connection: connection, transaction: WriteTransaction(store, connection, after: clock))
        self.begun = begun
        return begun
    }

    private func checkUsable() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another.") }
    }

    /// The connection of a session that has begun.
    var connection: PostgresConnection {
        guard let begun else { programmingError("A session that has not begun has no connection.") }
        return begun.connection
    }

    // MARK: Reading

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        plan.lock == nil ? try read { try $0.fetch(plan) } : try fetchLocking(plan)
    }

    /// Locks rows, on a later snapshot if that is the session's first request and other transactions have changed the rows.
    private func fetchLocking(_ plan: FetchPlan) throws(StoreError) -> RowBatch {
        let isFirst = !isUsed
        let start = ContinuousClock.now
        var plan = plan
        let lockWait = plan.lockWait
        var backoff = Backoff(longest: .milliseconds(100))
        while true {
            let begun = try open()
            do throws(StoreError) {
                return try LockedFetch(
                    reader: reader(begun.connection), plan: plan, transaction: begun.transaction
                ).rows()
            } catch {
                let waited = start.duration(to: .now)
                guard isFirst, error.code == .contention, waited < store.configuration.timeout else {
                    throw error
                }
                if case .wait(let limit) = lockWait { plan.lockWait = .wait(max(.zero, limit - waited)) }
                giveBack(begun.connection)
                self.begun = nil
                Thread.sleep(backoff.next())
            }
        }
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try read { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try read { try $0.related(plan) } }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try read { try $0.aggregate(plan) } }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        let clock = try open().transaction.clock
        return try read { try $0.history(request, at: clock) }
    }

    func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer {
        try checkUsable()
        if begun == nil, let answer = try beginReading(body) { return answer }
        let connection = try open().connection
        return try connection.surviving { try body(reader(connection)) }
    }

    /// Begins the transaction together with its first query; nil, with nothing begun, where they take a round trip each.
    private func beginReading<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer? {
        guard
            let (connection, clock, answer) = try store.begin(
                store.start.writing(isolation), options, with: { try body(reader($0)) })
        else { return nil }
        start(on: connection, after: clock)
        isUsed = true
        return answer
    }

    private func reader(_ connection: PostgresConnection) -> SessionReader {
        SessionReader(
            store: store, connection: connection, defersExternalValues: options.defersExternalValues)
    }

    // MARK: Writing

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try checkUsable()
        let root = store.mapping.entities[rootIndex]
        if let keys = store.keys.take(count, of: root.number) { return keys }
        if begun == nil { return try reserveBeforehand(count, of: root) }
        let connection = try open().connection
        return try unheeded(connection) {
            try connection.surviving { () throws(StoreError) in
                try store.keys.reserve(
                    count, of: root, in: store.dialect,
                    lockName: PostgresMigrationConnection.lockName(of: store.lockNumber),
                    looksAtRows: isolation == .snapshot, connection)
            }
        }
    }

    /// Sets keys aside before the transaction begins, which then still may begin late.
    private func reserveBeforehand(_ count: Int, of root: EntityMapping) throws(StoreError) -> Range<Int64> {
        let connection = try store.pool.take(
            for: options.identifier, heedsCancellation: options.heedsCancellation)
        connection.heedsCancellation = false
        defer { store.pool.giveBack(connection) }
        let lockName = PostgresMigrationConnection.lockName(of: store.lockNumber)
        let reserve: () throws(StoreError) -> Range<Int64> = { [store] () throws(StoreError) in
            try store.keys.reserve(
                count, of: root, in: store.dialect, lockName: lockName, looksAtRows: true, connection)
        }
        // A pooler may send each statement outside of a transaction to another session, and the lock is a session's.
        return try store.configuration.isPooled ? connection.inTransaction(reserve) : reserve()
    }

    /// Does what others may be concerned with, who are not cancelled with the task that asks.
    private func unheeded<Answer>(
        _ connection: PostgresConnection, _ work: () throws -> Answer
    ) rethrows -> Answer {
        let heeds = connection.heedsCancellation
        connection.heedsCancellation = false
        defer { connection.heedsCancellation = heeds }
        return try work()
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        let begun = try open()
        let receipt = try naming(begun) { () throws(StoreError) in try begun.transaction.apply(changes) }
        pass(changes)
        return receipt
    }

    /// Names who has locked rows that a change waited for in vain.
    private func naming<Answer>(
        _ begun: Begun, _ change: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try change()
        } catch {
            throw error.namingHolder(of: .rows, on: begun.connection)
        }
    }

    func saveTogether(_ changeSets: [ChangeSet], heedsCancellation: Bool) throws -> [StoreToken]? {
        try checkUsable()
        if begun != nil { return nil }
        let save = SaveInOneTrip(
            store: store, identifier: options.identifier, heedsCancellation: heedsCancellation)
        guard let numbers = try save.run(changeSets) else { return nil }
        note(committed: numbers)
        changeSets.forEach(pass)
        return transactions
    }

    private func pass(_ changes: ChangeSet) {
        for insertion in changes.inserts { pass(insertion.rows, of: insertion.entityIndex) }
    }

    /// Keys may come from elsewhere, as with rows that are imported.
    private func pass(_ rows: RowBatch, of entityIndex: Int) {
        guard let key = BatchKeys(rows).max() else { return }
        store.keys.pass(key, of: store.mapping.entities[store.model.layouts[entityIndex].rootIndex].number)
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let begun = try open()
        let receipt = try naming(begun) { () throws(StoreError) in try begun.transaction.perform(batch) }
        if case .insert(let rows) = batch.operation { pass(rows, of: batch.entityIndex) }
        return receipt
    }

    func userInfo() throws -> [String: String] {
        let connection = try open().connection
        return try connection.surviving { () throws(StoreError) in
            try StoreCatalogue(connection: connection).userInfo()
        }
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        let begun = try open()
        try begun.transaction.change { () throws(StoreError) in
            try StoreCatalogue(connection: begun.connection).setUserInfo(userInfo)
        }
    }

    func pruneHistory(through token: StoreToken) throws {
        let transaction = try open().transaction
        try token.check(isOf: store.storeID)
        try transaction.change { () throws(StoreError) in
            try transaction.pruneHistory(through: token.sequence)
        }
    }

    // MARK: Savepoints

    func beginSavepoint(_ options: SessionOptions) throws {
        let begun = try open()
        begun.transaction.beginSavepoint()
        begun.connection.heedsCancellation = options.heedsCancellation
    }

    func endSavepoint(keepingWork: Bool) throws {
        let begun = try open()
        begun.connection.heedsCancellation = false
        try begun.transaction.endSavepoint(keepingWork: keepingWork)
    }

    // MARK: Ending

    func commit(applying changes: ChangeSet) throws -> StoreToken? {
        try checkUsable()
        guard let begun, !begun.connection.hasFailedStatement else { return nil }
        let isCommitted = try outcome(of: begun) { () throws(StoreError) in
            try begun.transaction.commit(applying: changes)
        }
        guard isCommitted else { return nil }
        end()
        note(committed: begun.transaction.numbers)
        pass(changes)
        return token
    }

    func commit() throws -> StoreToken {
        try checkUsable()
        defer { end() }
        guard let begun else { return token }
        // The server would answer this COMMIT by rolling back, and call it a success.
        if begun.connection.hasFailedStatement {
            throw StoreError(
                .database, "A statement of the transaction has failed, so nothing of it was saved.",
                remedy: "Save again.")
        }
        let transaction = begun.transaction
        _ = try outcome(of: begun) { () throws(StoreError) in
            try transaction.commit()
            return true
        }
        note(committed: transaction.numbers)
        return token
    }

    private func note(committed numbers: [Int64]) {
        committed = numbers
        store.note(committed: numbers)
    }

    /// What has become of a commit, also where its answer was lost; false where the transaction goes on.
    ///
    /// Its waits for others may be cancelled, and the commit itself may not.
    private func outcome(
        of begun: Begun, _ commit: () throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        let connection = begun.connection
        connection.cancelsOnlyWaits = true
        do throws(StoreError) {
            let isCommitted = try commit()
            connection.cancelsOnlyWaits = false
            return isCommitted
        } catch {
            if error.isLockTimeout, connection.isAlive, connection.isInTransaction {
                try? connection.execute("ROLLBACK")
            }
            let failure =
                error.isOfLateCommit
                ? StoreError.lateCommit(error)
                : error.namingHolder(of: .rows, on: connection)
            let isInDoubt = error.code == .connectionLost && connection.isInDoubt
            let process = connection.process
            // To find out what became of the commit takes a connection of the pool, in the place of this one.
            end()
            if !isInDoubt { throw failure }
            let trace = begun.transaction.trace
            begun.transaction.note(
                committed: try CommitOutcome(store: store, process: process, trace: trace).resolve(error))
            return true
        }
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if let begun { giveBack(begun.connection) }
    }

    private func giveBack(_ connection: PostgresConnection) {
        (connection.heedsCancellation, connection.cancelsOnlyWaits) = (false, false)
        connection.owed = []
        connection.mark = PostgresConnection.usualMark
        if connection.isAlive && connection.isInTransaction { try? connection.execute("ROLLBACK") }
        store.pool.giveBack(connection)
    }
}
#endif
