#if Postgres
import ContextCore
import Foundation
import SQLStore

/// A write session: one connection with one transaction.
final class PostgresWriteSession: SingleRoundTripSession, ReaderSession, OrphanRowWriteSession {
    let store: PostgresStore
    private let options: SessionOptions
    /// The transaction, once it has begun.
    private var begun: OpenTransaction?
    /// The numbers of the session's saves, once it has committed.
    private var committed: [Int64] = []
    /// Whether a request has used the transaction.
    private var isUsed = false
    private var hasEnded = false

    struct OpenTransaction {
        let connection: PostgresConnection
        let transaction: WriteTransaction
    }

    /// Begins the transaction in one round trip, or defers its BEGIN to the first statement if the options allow that.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        self.options = options
        if !options.defersBegin { try beginIfNeeded() }
    }

    deinit { end() }

    var token: StoreToken {
        token(committed.last ?? begun?.transaction.historyEnd.end ?? store.newestSeenNumber)
    }

    var transactionsAfterGap: [StoreToken] { begun?.transaction.historyEnd.unsettled.map(token) ?? [] }

    var transactions: [StoreToken] { committed.map(token) }

    private func token(_ number: Int64) -> StoreToken { StoreToken(storeID: store.storeID, sequence: number) }

    // MARK: Beginning

    private var isolation: WriteIsolation { options.isolation ?? store.configuration.isolation }

    /// Returns the transaction for a request, and begins it if it has not begun.
    func open() throws(StoreError) -> OpenTransaction {
        let begun = try beginIfNeeded()
        isUsed = true
        return begun
    }

    @discardableResult
    private func beginIfNeeded() throws(StoreError) -> OpenTransaction {
        try checkUsable()
        if let begun { return begun }
        let (connection, historyEnd) = try store.begin(
            store.start.writing(isolation), options,
            // A serializable transaction that reads the history itself would conflict with every other commit.
            mayQueryAgain: isolation == .snapshot)
        return useTransaction(on: connection, after: historyEnd)
    }

    /// Uses the transaction that has begun on a connection.
    @discardableResult
    private func useTransaction(on connection: PostgresConnection, after historyEnd: HistoryEnd)
        -> OpenTransaction
    {
        store.recordHistoryEnd(historyEnd)
        let begun = OpenTransaction(
            connection: connection, transaction: WriteTransaction(store, connection, after: historyEnd))
        self.begun = begun
        return begun
    }

    private func checkUsable() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another session.") }
    }

    /// The connection of the transaction, which must have begun.
    var connection: PostgresConnection {
        guard let begun else {
            programmingError("A session has no connection before its transaction has begun.")
        }
        return begun.connection
    }

    // MARK: Reading

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        plan.lock == nil ? try read { try $0.fetch(plan) } : try fetchLocking(plan)
    }

    /// Fetches and locks rows.
    ///
    /// If other transactions have changed the rows, and this is the session's first request, it begins the transaction again with a
    /// newer snapshot, until the timeout.
    private func fetchLocking(_ plan: FetchPlan) throws(StoreError) -> RowBatch {
        let isFirst = !isUsed
        let start = ContinuousClock.now
        var plan = plan
        let lockWait = plan.lockWait
        var backoff = Backoff(maximumPause: .milliseconds(100))
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
                returnConnection(begun.connection)
                self.begun = nil
                Thread.sleep(backoff.nextPause())
            }
        }
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try read { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try read { try $0.related(plan) } }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        let historyEnd = try open().transaction.historyEnd
        return try read { try $0.history(request, at: historyEnd) }
    }

    func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer {
        try checkUsable()
        if begun == nil, let answer = try beginReading(body) { return answer }
        let connection = try open().connection
        return try connection.withRollbackOnFailure { try body(reader(connection)) }
    }

    /// Begins the transaction and runs its first query in one round trip; nil, without a transaction, if that isn't possible.
    private func beginReading<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer? {
        guard
            let (connection, historyEnd, answer) = try store.begin(
                store.start.writing(isolation), options, with: { try body(reader($0)) })
        else { return nil }
        useTransaction(on: connection, after: historyEnd)
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
        if let keys = store.keys.dequeue(count, of: root.number) { return keys }
        if begun == nil { return try reserveOutsideTransaction(count, of: root) }
        let connection = try open().connection
        // The transaction may have changes of other tasks.
        return try connection.withoutCancellation { () throws(StoreError) in
            try connection.withRollbackOnFailure { () throws(StoreError) in
                try store.keys.reserve(
                    count, of: root, in: store.dialect,
                    lockObjectID: PostgresMigrationConnection.lockObjectID(of: store.lockKey),
                    skipsExistingKeys: isolation == .snapshot, connection)
            }
        }
    }

    /// Reserves keys outside of the transaction, whose BEGIN stays deferred.
    private func reserveOutsideTransaction(
        _ count: Int, of root: EntityMapping
    ) throws(StoreError) -> Range<Int64> {
        let connection = try store.pool.borrow(
            for: options.identifier, isCancellable: options.isCancellable)
        connection.setCancellationScope(.nothing)
        defer { store.pool.returnConnection(connection) }
        let lockObjectID = PostgresMigrationConnection.lockObjectID(of: store.lockKey)
        let reserve: () throws(StoreError) -> Range<Int64> = { [store] () throws(StoreError) in
            try store.keys.reserve(
                count, of: root, in: store.dialect, lockObjectID: lockObjectID, skipsExistingKeys: true,
                connection)
        }
        // Outside of a transaction a pooler may send each statement to another session, but the session holds the advisory lock.
        return try store.configuration.isPooled ? connection.inTransaction(reserve) : reserve()
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        let begun = try open()
        let receipt = try namingRowLockHolder(begun) { () throws(StoreError) in
            try begun.transaction.apply(changes)
        }
        skipKeys(of: changes)
        return receipt
    }

    /// Runs a change; if its wait for a row lock times out, adds the holder of the lock to the error.
    private func namingRowLockHolder<Answer>(
        _ begun: OpenTransaction, _ change: () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        do throws(StoreError) {
            return try change()
        } catch {
            throw error.addingLockHolder(of: .rows, on: begun.connection)
        }
    }

    func saveInOneRoundTrip(_ changeSets: [ChangeSet], isCancellable: Bool) throws -> [StoreToken]? {
        try checkUsable()
        if begun != nil { return nil }
        let save = SingleRoundTripSave(
            store: store, identifier: options.identifier, isCancellable: isCancellable)
        guard let numbers = try save.run(changeSets) else { return nil }
        recordCommit(numbers)
        changeSets.forEach(skipKeys(of:))
        return transactions
    }

    private func skipKeys(of changes: ChangeSet) {
        for insertion in changes.inserts { skipKeys(of: insertion.rows, entityIndex: insertion.entityIndex) }
    }

    /// Removes the keys of inserted rows from the reserved blocks, since an import, for example, inserts rows with its own keys.
    private func skipKeys(of rows: RowBatch, entityIndex: Int) {
        guard let key = BatchKeys(rows).max() else { return }
        store.keys.skipKeys(
            through: key, of: store.mapping.entities[store.model.layouts[entityIndex].rootIndex].number)
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        let begun = try open()
        let receipt = try namingRowLockHolder(begun) { () throws(StoreError) in
            try begun.transaction.perform(batch)
        }
        switch batch.operation {
        case .insert(let rows): skipKeys(of: rows, entityIndex: batch.entityIndex)
        case .upsert(let upsert):
            for group in upsert.groups { skipKeys(of: group.rows, entityIndex: batch.entityIndex) }
        case .update, .delete: break
        }
        return receipt
    }

    func userInfo() throws -> [String: String] {
        let connection = try open().connection
        return try connection.withRollbackOnFailure { () throws(StoreError) in
            try StoreCatalog(connection: connection).userInfo()
        }
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        let begun = try open()
        try begun.transaction.performWrite { () throws(StoreError) in
            try StoreCatalog(connection: begun.connection).setUserInfo(userInfo)
        }
    }

    func pruneHistory(through token: StoreToken) throws {
        let transaction = try open().transaction
        try token.check(isOf: store.storeID)
        try transaction.performWrite { () throws(StoreError) in
            try transaction.pruneHistory(through: token.sequence)
        }
    }

    func repair(_ faults: [ExternalValueMismatch]) throws {
        let statements = OrphanRowSearch(store.mapping, store.dialect).repairStatements(for: faults)
        if statements.isEmpty { return }
        let begun = try open()
        try begun.transaction.performWrite { () throws(StoreError) in
            for text in statements { try begun.connection.run(text) }
        }
    }

    // MARK: Savepoints

    func beginSavepoint(_ options: SessionOptions) throws {
        let begun = try open()
        begun.transaction.beginSavepoint()
        begun.connection.setCancellationScope(options.isCancellable ? .statements : .nothing)
    }

    func endSavepoint(keepingWork: Bool) throws {
        let begun = try open()
        begun.connection.setCancellationScope(.nothing)
        try begun.transaction.endSavepoint(keepingWork: keepingWork)
    }

    // MARK: Ending

    func commit(applying changes: ChangeSet) throws -> StoreToken? {
        try checkUsable()
        guard let begun, !begun.connection.hasFailedStatement else { return nil }
        let isCommitted = try resolvingOutcome(of: begun) { () throws(StoreError) in
            try begun.transaction.commit(applying: changes)
        }
        guard isCommitted else { return nil }
        end()
        recordCommit(begun.transaction.numbers)
        skipKeys(of: changes)
        return token
    }

    func commit() throws -> StoreToken {
        try checkUsable()
        defer { end() }
        guard let begun else { return token }
        // The server would roll back at this COMMIT, and report no error.
        if begun.connection.hasFailedStatement {
            throw StoreError(
                .database, "A statement of the transaction has failed, so nothing of it was saved.",
                remedy: "Save again.")
        }
        let transaction = begun.transaction
        _ = try resolvingOutcome(of: begun) { () throws(StoreError) in
            try transaction.commit()
            return true
        }
        recordCommit(transaction.numbers)
        return token
    }

    private func recordCommit(_ numbers: [Int64]) {
        committed = numbers
        store.recordCommit(numbers)
    }

    /// Runs a commit, and finds out its outcome if the connection is lost before the result arrives.
    ///
    /// Cancelling the task interrupts only the waits for locks, not the commit itself.
    ///
    /// - Returns: false if the transaction is still open.
    private func resolvingOutcome(
        of begun: OpenTransaction, _ commit: () throws(StoreError) -> Bool
    ) throws(StoreError) -> Bool {
        let connection = begun.connection
        let scope = connection.cancellationScope
        connection.limitCancellationToLockWaits()
        do throws(StoreError) {
            let isCommitted = try commit()
            connection.setCancellationScope(scope)
            return isCommitted
        } catch {
            if error.isLockTimeout, connection.isAlive, connection.isInTransaction {
                try? connection.execute("ROLLBACK")
            }
            let failure =
                error.isCommitLockTimeout
                ? StoreError.commitLockTimeoutError(error)
                : error.addingLockHolder(of: .rows, on: connection)
            let isInDoubt = error.code == .connectionLost && connection.isInDoubt
            let process = connection.process
            // The query of the outcome needs a connection of the pool, so return this one first.
            end()
            if !isInDoubt { throw failure }
            let identity = begun.transaction.identity
            begun.transaction.recordCommit(
                try CommitOutcome(store: store, process: process, identity: identity).resolve(error))
            return true
        }
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if let begun { returnConnection(begun.connection) }
    }

    private func returnConnection(_ connection: PostgresConnection) {
        connection.setCancellationScope(.nothing)
        connection.discardSavepoints()
        connection.rollback()
        store.pool.returnConnection(connection)
    }
}
#endif
