#if Postgres
import ContextCore
import SQLStore

/// A read session: one connection, in one transaction that sees one moment of the store.
final class PostgresReadSession: ReadSession {
    let token: StoreToken
    let reader: SessionReader
    private let identifier: String
    private var hasEnded = false

    /// Begins the transaction, and pins its moment by reading the store's clock, in one round trip.
    init(_ store: PostgresStore, _ options: SessionOptions) throws(StoreError) {
        identifier = options.identifier
        let (connection, sequence) = try store.begin(
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
            SELECT coalesce(max("sequence"), 0) FROM "_store_history"
            """, identifier)
        reader = SessionReader(store: store, connection: connection)
        token = StoreToken(storeID: store.storeID, sequence: sequence)
    }

    deinit { end() }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try open().fetch(plan) }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try open().rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try open().related(plan) }

    func aggregate(_ plan: AggregatePlan) throws -> [[StoredValue]] { try open().aggregate(plan) }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] { try open().history(request) }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        if reader.connection.isInTransaction { try? reader.connection.execute("COMMIT") }
        reader.store.pool.giveBack(reader.connection, from: identifier)
    }

    private func open() throws(StoreError) -> SessionReader {
        try reader.store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another.") }
        return reader
    }
}

extension PostgresStore {
    /// Begins a transaction by statements of which the last answers a number.
    ///
    /// A connection that was idle may have been cut meanwhile; then another is taken, since nothing was begun yet.
    func begin(_ sql: String, _ identifier: String) throws(StoreError) -> (PostgresConnection, Int64) {
        var attempts = 0
        while true {
            let connection = try pool.take(for: identifier)
            do throws(StoreError) {
                return (connection, try connection.integer(sql) ?? 0)
            } catch {
                if connection.isInTransaction { try? connection.execute("ROLLBACK") }
                pool.giveBack(connection, from: identifier)
                attempts += 1
                if error.code != .connectionLost || attempts > configuration.connections { throw error }
            }
        }
    }
}
#endif
