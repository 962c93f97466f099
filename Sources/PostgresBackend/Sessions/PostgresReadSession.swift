#if Postgres
import ContextCore
import SQLStore

/// A read session: one connection with one transaction, which reads one snapshot of the store.
final class PostgresReadSession: ExplainingSession, ReaderSession {
    let token: StoreToken
    private let historyEnd: HistoryEnd
    var transactionsAfterGap: [StoreToken] {
        historyEnd.unsettled.map { StoreToken(storeID: token.storeID, sequence: $0) }
    }
    let reader: SessionReader
    private let pool: PostgresPool
    private var hasEnded = false

    /// Begins the transaction, and takes its snapshot by reading the end of the history, in one round trip.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        let (pool, connection, historyEnd) = try store.beginReading(options)
        self.pool = pool
        reader = SessionReader(
            store: store, connection: connection, defersExternalValues: options.defersExternalValues)
        token = StoreToken(storeID: store.storeID, sequence: historyEnd.end)
        self.historyEnd = historyEnd
        if options.isPinned {
            do throws(StoreError) {
                try connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
            } catch {
                end()
                throw error
            }
        }
    }

    deinit { end() }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try read { try $0.fetch(plan) } }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try read { try $0.rows(keys, entityIndex: entityIndex) }
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try read { try $0.related(plan) } }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try read { try $0.history(request, at: historyEnd) }
    }

    func explain(_ plan: FetchPlan) throws -> StatementExplanation { try read { try $0.explain(plan) } }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        reader.connection.setCancellationScope(.nothing)
        reader.connection.sendReadOnlyCommit()
        pool.returnConnection(reader.connection)
    }

    func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer {
        try reader.store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another session.") }
        return try reader.connection.withRollbackOnFailure { try body(reader) }
    }
}
#endif
