#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The history records of a transaction's saves, which are inserted right before its commit.
///
/// Their numbers are assigned then, after all lock waits. So a transaction that changes what another one has saved has higher numbers.
struct HistoryRecords {
    private let records: [BatchedInsertions.Record]
    /// The unique marker of this transaction's records.
    private let marker: Int64

    init(_ records: [BatchedInsertions.Record], marker: Int64) {
        self.records = records
        self.marker = marker
    }

    /// Sends the insertion of the records in the pipeline; its result has their numbers.
    func sendInPipeline(
        to store: PostgresStore, _ connection: PostgresConnection, by texts: HistoryStatements
    ) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(marker)
        parameters.append(timestamp: Date.now.microseconds)
        if let record = records.first, records.count == 1 {
            parameters.append(record.author)
            parameters.append(record.contextName)
            parameters.append(packed(record, store))
            return try connection.sendInPipeline(texts.single, parameters)
        }
        parameters.append(records.map(\.author))
        parameters.append(records.map(\.contextName))
        parameters.append(records.map { packed($0, store) })
        try connection.sendInPipeline(texts.several, parameters)
    }

    private func packed(_ record: BatchedInsertions.Record, _ store: PostgresStore) -> [UInt8]? {
        store.configuration.keepsHistory ? record.history.bytes(by: .current) : nil
    }
}

/// The statements that insert history records: marker, date, authors, contexts, changes.
struct HistoryStatements: Sendable {
    /// Inserts one record; the server caches its plan, and plans the other statement each time.
    let single: String
    /// Inserts several records, with an array parameter per column.
    let several: String

    /// Creates the statements.
    ///
    /// - Parameters:
    ///   - number: The expression for the next number.
    ///   - isSentAhead: Whether the statement is sent when its transaction begins. The date is the program's, to which the statement
    ///     adds the time since the start of the transaction.
    init(_ history: String, number: String, isSentAhead: Bool) {
        let insertion = """
            INSERT INTO \(history) ("sequence", "mark", "date", "author", "context", "changes")
            """
        let date = isSentAhead ? "$2 + (pg_catalog.clock_timestamp() - pg_catalog.now())" : "$2"
        single = """
            \(insertion) VALUES (\(number), $1, \(date), $3, $4, $5) RETURNING "sequence"
            """
        several = """
            \(insertion) SELECT \(number), $1, \(date), line."author", line."context", line."changes" \
            FROM unnest($3, $4, $5) AS line("author", "context", "changes") RETURNING "sequence"
            """
    }
}
#endif
