#if Postgres
import ContextCore
import Foundation
import SQLStore

extension SessionReader {
    /// Returns the history of saves up to the session's snapshot, from the oldest.
    func history(
        _ request: HistoryRequest, at historyEnd: HistoryEnd
    ) throws(StoreError) -> [HistoryTransaction] {
        let pruned = try StoreCatalog(connection: connection).prunedSequence()
        if let after = request.after {
            // A program can have the token of a save before all saves with lower numbers are visible.
            let newest = after.sequence > historyEnd.end ? try lastNumber() : historyEnd.end
            try after.check(at: StoreToken(storeID: store.storeID, sequence: newest), prunedThrough: pruned)
        }
        let end = request.includesGaps ? historyEnd.newest : historyEnd.end
        var collector = HistoryCollector(request, store)
        var last = max(pruned, request.after?.sequence ?? 0)
        while !collector.isFull {
            // With a filter by entity the number of records to read isn't known in advance.
            let page = request.limit.map {
                request.entityIndices == nil ? $0 - collector.transactions.count : Self.page
            }
            let result = try connection.run(
                records(request, limit: page), parameters(of: request, after: last, through: end))
            for row in 0..<result.count where !collector.isFull {
                try collector.append(
                    sequence: result.integer(row, 0),
                    microseconds: PostgresTimestamp.decoded(result.integer(row, 1)),
                    author: result.isNull(row, 2) ? nil : result.text(row, 2),
                    context: result.isNull(row, 3) ? nil : result.text(row, 3),
                    changes: result.bytes(row, 4))
            }
            guard let page, result.count == page else { break }
            last = result.integer(result.count - 1, 0)
        }
        return collector.transactions
    }

    private func lastNumber() throws(StoreError) -> Int64 {
        let last = try connection.run("SELECT coalesce(max(\"sequence\"), 0) FROM \(store.history)")
        return last.integer(0, 0)
    }

    /// The number of records per query if a filter by entity may skip some.
    private static let page = 1000

    private func records(_ request: HistoryRequest, limit: Int?) -> String {
        let changes = request.omitsChanges ? "NULL" : #""changes""#
        // A mark of 0 means an empty record, which fills a gap in the numbers.
        let empty = request.includesGaps ? "" : #"AND "mark" <> 0 "#
        let records = """
            SELECT "sequence", "date", "author", "context", \(changes) FROM \(store.history) \
            WHERE "sequence" > $1 AND "sequence" <= $4 AND ($2 IS NULL OR "date" > $2) AND ($3 IS NULL OR "author" = $3) \
            AND "changes" IS NOT NULL \(empty)ORDER BY "sequence"
            """
        return limit.map { records + " LIMIT \($0)" } ?? records
    }

    private func parameters(
        of request: HistoryRequest, after sequence: Int64, through end: Int64
    ) -> PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(sequence)
        parameters.append(timestamp: request.since?.microseconds)
        parameters.append(request.author)
        parameters.append(end)
        return parameters
    }
}
#endif
