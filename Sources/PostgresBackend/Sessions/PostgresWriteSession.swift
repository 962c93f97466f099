#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The write session: one connection, in a transaction that holds the store's lock.
final class PostgresWriteSession: GatheringSession {
    private let store: PostgresStore
    let connection: PostgresConnection

    private let transaction: WriteTransaction
    private var hasEnded = false

    /// Waits for its turn and begins the transaction, in one round trip.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        let (connection, clock) = try store.begin(store.start.writing, options)
        self.connection = connection
        transaction = WriteTransaction(store, connection, after: clock)
    }

    deinit { end() }

    var token: StoreToken { StoreToken(storeID: store.storeID, sequence: transaction.sequence) }

    // MARK: Reading

    func fetch(_ plan: FetchPlan) throws -> RowBatch {
        if plan.lock == nil { return try read { try $0.fetch(plan) } }
        try open()
        let reader = SessionReader(store: store, connection: connection)
        return try LockedFetch(reader: reader, plan: plan, transaction: transaction).rows()
    }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try read { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try read { try $0.related(plan) } }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try read { try $0.aggregate(plan) } }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try read { try $0.history(request, at: token) }
    }

    private func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer {
        try open()
        return try connection.surviving { try body(SessionReader(store: store, connection: connection)) }
    }

    // MARK: Writing

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try open()
        return try connection.surviving { () throws(StoreError) in
            try store.keys.reserve(
                count, of: store.mapping.entities[rootIndex], in: store.dialect, connection)
        }
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        try open()
        let receipt = try transaction.apply(changes)
        pass(changes)
        return receipt
    }

    func applyTogether(_ changeSets: [ChangeSet]) throws -> [StoreToken]? {
        try open()
        let heeds = connection.heedsCancellation
        connection.heedsCancellation = false
        defer { connection.heedsCancellation = heeds }
        guard let sequences = try transaction.applyTogether(changeSets) else { return nil }
        changeSets.forEach(pass)
        return sequences.map { StoreToken(storeID: store.storeID, sequence: $0) }
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
        try open()
        let receipt = try transaction.perform(batch)
        if case .insert(let rows) = batch.operation { pass(rows, of: batch.entityIndex) }
        return receipt
    }

    func userInfo() throws -> [String: String] {
        try open()
        return try connection.surviving { () throws(StoreError) in
            try StoreCatalogue(connection: connection).userInfo()
        }
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        try open()
        try transaction.change { () throws(StoreError) in
            try StoreCatalogue(connection: connection).setUserInfo(userInfo)
        }
    }

    func pruneHistory(through token: StoreToken) throws {
        try open()
        try token.check(isOf: store.storeID)
        try transaction.change { () throws(StoreError) in
            try transaction.pruneHistory(through: token.sequence)
        }
    }

    // MARK: Savepoints

    func beginSavepoint(_ options: SessionOptions) throws {
        try open()
        transaction.beginSavepoint()
        connection.heedsCancellation = options.heedsCancellation
    }

    func endSavepoint(keepingWork: Bool) throws {
        try open()
        connection.heedsCancellation = false
        try transaction.endSavepoint(keepingWork: keepingWork)
    }

    // MARK: Ending

    func commit() throws -> StoreToken {
        try open()
        hasEnded = true
        connection.heedsCancellation = false
        defer { giveBack() }
        // The server would answer this COMMIT by rolling back, and call it a success.
        if connection.hasFailedStatement {
            throw StoreError(
                .database, "A statement of the transaction has failed, so nothing of it was saved.",
                remedy: "Save again.")
        }
        do throws(StoreError) {
            try connection.commit()
        } catch {
            if error.isLockTimeout { throw StoreError.lateCommit(error) }
            guard error.code == .connectionLost, connection.isInDoubt else { throw error }
            try CommitOutcome(store: store, process: connection.process, trace: transaction.trace).resolve(
                error)
        }
        store.replicas?.note(transaction.sequence)
        return token
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        giveBack()
    }

    private func giveBack() {
        connection.heedsCancellation = false
        connection.owed = []
        connection.mark = PostgresConnection.usualMark
        if connection.isAlive && connection.isInTransaction { try? connection.execute("ROLLBACK") }
        store.pool.giveBack(connection)
    }

    private func open() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another.") }
    }
}
#endif
