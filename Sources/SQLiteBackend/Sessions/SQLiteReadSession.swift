#if SQLite
import ContextCore
import SQLStore

/// A read session: a connection in a transaction that reads one snapshot of the store.
final class SQLiteReadSession: ExplainingSession, ReaderSession {
    let token: StoreToken
    let transactionsAfterGap: [StoreToken] = []
    private let reader: SessionReader
    private var hasEnded = false

    /// Begins the transaction and starts its snapshot with the first read.
    init(_ store: SQLiteStore, _ options: SessionOptions) throws(StoreError) {
        try store.files.checkUnlessRecent()
        let connection: SQLiteConnection
        do throws(StoreError) {
            connection = try store.readers.borrow()
        } catch {
            throw store.files.diagnosis(of: error)
        }
        reader = SessionReader(
            store: store, connection: connection, defersExternalValues: options.defersExternalValues)
        do throws(StoreError) {
            connection.watch.begin(isCancellable: options.isCancellable)
            try connection.begin(writing: false)
            let sequence = try store.lastSequence(connection)
            try store.files.checkFileInPlace(of: connection)
            token = StoreToken(storeID: store.storeID, sequence: sequence)
        } catch {
            connection.watch.end()
            connection.rollback()
            store.readers.returnConnection(connection)
            throw store.files.diagnosis(of: error)
        }
    }

    deinit { end() }

    func fetch(_ plan: FetchPlan) throws -> RowBatch { try open().fetch(plan) }

    func rows(_ keys: [Int64], entityIndex: Int) throws -> RowBatch {
        try open().rows(keys, entityIndex: entityIndex)
    }

    func related(_ plan: RelatedPlan) throws -> RelatedRows { try open().related(plan) }

    func history(_ request: HistoryRequest) throws -> [HistoryTransaction] {
        try open().history(request, at: token)
    }

    func explain(_ plan: FetchPlan) throws -> StatementExplanation { try open().explain(plan) }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        reader.connection.watch.end()
        reader.connection.endReading()
        reader.store.readers.returnConnection(reader.connection)
    }

    func read<Answer>(_ body: (SessionReader) throws -> Answer) throws -> Answer { try body(open()) }

    private func open() throws(StoreError) -> SessionReader {
        try reader.store.checkOpen()
        if hasEnded { throw StoreError(.closed, "The session has ended.", remedy: "Open another session.") }
        return reader
    }
}
#endif
