#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// A write session: the writer's connection in a transaction.
final class SQLiteWriteSession: BatchingSession, ReaderSession, OrphanRowWriteSession {
    private let store: SQLiteStore
    private let connection: SQLiteConnection
    private let transaction: WriteTransaction
    private let defersExternalValues: Bool
    /// The token of the last save before the session.
    private let base: StoreToken
    private var hasEnded = false

    /// Waits for its turn and begins the transaction.
    init(_ store: SQLiteStore, _ options: SessionOptions) throws(StoreError) {
        self.store = store
        defersExternalValues = options.defersExternalValues
        connection = try store.lane.acquireConnection(
            options.identifier, isCancellable: options.isCancellable)
        do throws(StoreError) {
            connection.watch.begin(isCancellable: options.isCancellable)
            transaction = try WriteTransaction(store, connection)
            base = StoreToken(storeID: store.storeID, sequence: transaction.sequence)
        } catch {
            connection.watch.end()
            connection.rollback()
            store.lane.releaseConnection(connection)
            throw error
        }
    }

    deinit { end() }

    var token: StoreToken { StoreToken(storeID: store.storeID, sequence: transaction.sequence) }

    let transactionsAfterGap: [StoreToken] = []

    var transactions: [StoreToken] { base.successors(through: token) }

    // MARK: Reading

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try reader().fetch(plan) }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try reader().rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try reader().related(plan) }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try reader().history(request, at: token)
    }

    func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer { try body(reader()) }

    // MARK: Writing

    func reserveKeys(_ count: Int, rootIndex: Int) throws -> Range<Int64> {
        try open()
        return try connection.watch.withoutCancellation { () throws(StoreError) in
            try store.keys.reserve(count, of: store.mapping.entities[rootIndex], connection)
        }
    }

    func apply(_ changes: ChangeSet) throws -> SaveReceipt {
        try open()
        return try transaction.apply(changes)
    }

    func applyBatch(_ changeSets: [ChangeSet]) throws -> [StoreToken]? {
        try open()
        connection.watch.begin(isCancellable: false, sharesTransaction: true)
        return try transaction.applyBatch(changeSets)?.map {
            StoreToken(storeID: store.storeID, sequence: $0)
        }
    }

    func perform(_ batch: BatchPlan) throws -> BatchReceipt {
        try open()
        return try transaction.perform(batch)
    }

    func userInfo() throws -> [String: String] {
        try open()
        return try StoreCatalog(connection: connection).userInfo()
    }

    func setUserInfo(_ userInfo: [String: String]) throws {
        try open()
        try StoreCatalog(connection: connection).setUserInfo(userInfo)
    }

    func pruneHistory(through token: StoreToken) throws {
        try open()
        try token.check(isOf: store.storeID)
        try transaction.pruneHistory(through: token.sequence)
    }

    func repair(_ faults: [ExternalValueMismatch]) throws {
        try open()
        for text in OrphanRowSearch(store.mapping, store.dialect).repairStatements(for: faults) {
            try connection.execute(text.sql)
        }
    }

    // MARK: Savepoints

    func beginSavepoint(_ options: SessionOptions) throws {
        try open()
        connection.watch.begin(isCancellable: options.isCancellable, sharesTransaction: true)
        try transaction.beginSavepoint()
    }

    func endSavepoint(keepingWork: Bool) throws {
        try open()
        try transaction.endSavepoint(keepingWork: keepingWork)
        if !keepingWork { store.keys.rollback() }
    }

    // MARK: Ending

    func commit() throws -> StoreToken {
        try open()
        hasEnded = true
        connection.watch.end()
        switch transaction.commit() {
        case .committed:
            store.keys.commit()
            store.lane.releaseConnection(connection)
        case .failed(let error):
            connection.rollback()
            store.keys.rollback()
            store.lane.releaseConnection(connection)
            throw error
        case .outcomeUnknown(let marker, let error):
            try resolveCommit(marker, error)
        }
        return token
    }

    /// Determines the outcome of a failed commit before the session reports anything.
    private func resolveCommit(_ marker: TransactionMarker, _ failure: StoreError) throws(StoreError) {
        connection.rollback()
        connection.close()
        var next: SQLiteConnection?
        defer { store.lane.releaseConnection(next) }
        do throws(StoreError) {
            let inquiry = CommitInquiry(store: store, transaction: marker, failure: failure)
            let (isCommitted, connection) = try inquiry.resolveOutcome()
            next = connection
            if !isCommitted { throw failure }
            store.keys.commit()
        } catch {
            store.keys.rollback()
            throw error
        }
    }

    func rollback() { end() }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        connection.watch.end()
        connection.rollback()
        store.keys.rollback()
        store.lane.releaseConnection(connection)
    }

    private func reader() throws(StoreError) -> SessionReader {
        try open()
        return SessionReader(
            store: store, connection: connection, defersExternalValues: defersExternalValues)
    }

    private func open() throws(StoreError) {
        try store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another session.") }
    }
}
#endif
