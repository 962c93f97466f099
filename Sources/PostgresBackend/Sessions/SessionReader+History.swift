#if Postgres
import ContextCore
import Foundation
import SQLStore

extension SessionReader {
    /// The history of saves up to the session's moment, the oldest first.
    func history(
        _ request: HistoryRequest, at moment: StoreToken
    ) throws(StoreError) -> [HistoryTransaction] {
        let pruned = try StoreCatalogue(connection: connection).prunedSequence()
        try request.after?.check(at: moment, prunedThrough: pruned)
        var parameters = PostgresParameters()
        parameters.append(max(pruned, request.after?.sequence ?? 0))
        parameters.append(moment: request.since?.microseconds)
        parameters.append(request.author)
        let result = try connection.run(
            """
            SELECT "sequence", "date", "author", "context", "changes" FROM \(store.history) \
            WHERE "sequence" > $1 AND ($2 IS NULL OR "date" > $2) AND ($3 IS NULL OR "author" = $3) ORDER BY "sequence"
            """, parameters)
        var transactions: [HistoryTransaction] = []
        var decoder = HistoryDecoder(store.mapping)
        for row in 0..<result.count where transactions.count < request.limit ?? .max {
            if result.isNull(row, 4) { continue }
            var transaction = try transaction(result, row, &decoder)
            if let entities = request.entityIndices {
                transaction.changes.removeAll { !entities.contains($0.entityIndex) }
                if transaction.changes.isEmpty { continue }
            }
            transactions.append(transaction)
        }
        return transactions
    }

    private func transaction(
        _ result: PostgresResult, _ row: Int, _ decoder: inout HistoryDecoder
    ) throws(StoreError) -> HistoryTransaction {
        let changes = try decoder.changes(Array(result.bytes(row, 4)))
        return HistoryTransaction(
            token: StoreToken(storeID: store.storeID, sequence: result.integer(row, 0)),
            date: Date(microseconds: PostgresMoment.received(result.integer(row, 1))),
            author: result.isNull(row, 2) ? nil : result.text(row, 2),
            contextName: result.isNull(row, 3) ? nil : result.text(row, 3), process: decoder.process,
            changes: changes)
    }
}
#endif
