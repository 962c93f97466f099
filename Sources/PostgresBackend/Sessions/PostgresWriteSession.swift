#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The write session: one connection, in a transaction that holds the store's lock.
final class PostgresWriteSession: WriteSession {
    private let store: PostgresStore
    private let connection: PostgresConnection
    private let identifier: String
    private let transaction: WriteTransaction
    private var hasEnded = false

    /// Waits for its turn and begins the transaction, in one round trip.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        identifier = options.identifier
        let (connection, sequence) = try store.begin(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(\(store.lockNumber)); \
            SELECT coalesce(max("sequence"), 0) FROM "_store_history"
            """, identifier)
        self.connection = connection
        transaction = WriteTransaction(store, connection, after: sequence)
    }

    deinit { end() }

    var token: StoreToken { StoreToken(storeID: store.storeID, sequence: transaction.sequence) }

    // MARK: Reading

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try reader().fetch(plan) }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try reader().rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try reader().related(plan) }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try reader().aggregate(plan) }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] { try reader().history(request) }

    // MARK: Writing

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try open()
        return try store.keys.reserve(count, of: store.mapping.entities[rootIndex], connection)
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        try open()
        let receipt = try transaction.apply(changes)
        for insertion in changes.inserts {
            let root = store.model.layouts[insertion.entityIndex].rootIndex
            if let key = BatchKeys(insertion.rows).max() {
                store.keys.pass(key, of: store.mapping.entities[root].number)
            }
        }
        return receipt
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        try open()
        throw StoreError(.unsupportedRequest, "This store can't change rows by predicate.")
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        try open()
        try StoreCatalogue(connection: connection).setUserInfo(userInfo)
    }

    func pruneHistory(through token: StoreToken) throws {
        try open()
        try transaction.pruneHistory(through: token.sequence)
    }

    // MARK: Savepoints

    func beginSavepoint(_ options: SessionOptions) throws {
        try open()
        try transaction.beginSavepoint()
    }

    func endSavepoint(keepingWork: Bool) throws {
        try open()
        try transaction.endSavepoint(keepingWork: keepingWork)
    }

    // MARK: Ending

    func commit() throws -> StoreToken {
        try open()
        hasEnded = true
        defer { giveBack() }
        do throws(StoreError) {
            try connection.execute("COMMIT")
        } catch {
            guard error.code == .connectionLost else { throw error }
            try CommitOutcome(store: store, mark: transaction.mark, hasHistory: transaction.hasHistory)
                .resolve(error)
        }
        return token
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        giveBack()
    }

    private func giveBack() {
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        store.pool.giveBack(connection, from: identifier)
    }

    private func reader() throws(StoreError) -> SessionReader {
        try open()
        return SessionReader(store: store, connection: connection)
    }

    private func open() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another.") }
    }
}
#endif
