#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// The write session: the writer's connection, in one transaction.
final class SQLiteWriteSession: WriteSession {
    private let store: SQLiteStore
    private let connection: SQLiteConnection
    private let transaction: WriteTransaction
    private var hasEnded = false

    /// Waits for its turn and begins the transaction.
    init(_ store: SQLiteStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        connection = try store.lane.enter(options.identifier)
        do throws(StoreError) {
            transaction = try WriteTransaction(store, connection)
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            store.lane.leave(connection)
            throw error
        }
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
        return try store.keys.reserve(count, of: store.mapping.entities[rootIndex].number, connection)
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        try open()
        return try transaction.apply(changes)
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        try open()
        return try transaction.perform(batch)
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        try open()
        try StoreCatalogue(connection: connection).setUserInfo(userInfo)
    }

    func pruneHistory(through token: StoreToken) throws {
        try open()
        try transaction.pruneHistory(through: token.sequence)
    }

    // MARK: Ending

    func commit() throws -> StoreToken {
        try open()
        hasEnded = true
        defer { store.lane.leave(connection) }
        do throws(StoreError) {
            try transaction.commit()
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            store.keys.rollback()
            throw error
        }
        store.keys.commit()
        return token
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if connection.isInTransaction { try? connection.execute("ROLLBACK") }
        store.keys.rollback()
        store.lane.leave(connection)
    }

    private func reader() throws(StoreError) -> SessionReader {
        try open()
        return SessionReader(store: store, connection: connection)
    }

    private func open() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another.") }
        if !connection.isInTransaction { throw Self.lost }
    }

    /// SQLite ended the transaction by itself, as it does after some errors; nothing more may be done in it.
    private static let lost = StoreError(
        .inputOutput,
        "An error of the disk or of memory ended the session's transaction; nothing of it was saved.",
        remedy: "Save again.")
}
#endif
