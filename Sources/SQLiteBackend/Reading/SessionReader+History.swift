#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

extension SessionReader {
    /// Returns the history up to the session's token, oldest first.
    func history(
        _ request: HistoryRequest, at token: StoreToken
    ) throws(StoreError) -> [HistoryTransaction] {
        let pruned = try connection.integer(Self.prunedSQL) ?? 0
        try request.after?.check(at: token, prunedThrough: pruned)
        let statement = try connection.statement(
            """
            SELECT "sequence", "date", "author", "context", "changes" FROM "_store_history" \
            WHERE "sequence" > ?1 AND "date" > ?2 AND (?3 IS NULL OR "author" = ?3) ORDER BY "sequence"
            """)
        defer { statement.reset() }
        statement.bind(1, max(pruned, request.after?.sequence ?? 0))
        statement.bind(2, request.since?.microseconds ?? .min)
        if let author = request.author { try statement.bind(3, author) }
        var collector = HistoryCollector(request, store)
        while !collector.isFull, try statement.step() {
            // Such a save was not recorded.
            if statement.isNull(4) { continue }
            try collector.append(
                sequence: statement.integer(0), microseconds: statement.integer(1),
                author: statement.isNull(2) ? nil : try statement.text(2),
                context: statement.isNull(3) ? nil : try statement.text(3), changes: statement.bytes(4))
        }
        return collector.transactions
    }

    private static let prunedSQL =
        "SELECT CAST(\"value\" AS INTEGER) FROM \"_store_metadata\" WHERE \"name\" = 'history_pruned'"
}
#endif
