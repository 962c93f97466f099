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
        var transactions: [HistoryTransaction] = []
        var decoder = HistoryDecoder(store.mapping)
        while transactions.count < request.limit ?? .max, try statement.step() {
            guard var transaction = try transaction(statement, request, &decoder) else { continue }
            if let entities = request.entityIndices {
                transaction.changes.removeAll { !entities.contains($0.entityIndex) }
                if transaction.changes.isEmpty { continue }
            }
            transactions.append(transaction)
        }
        return transactions
    }

    private static let prunedSQL =
        "SELECT CAST(\"value\" AS INTEGER) FROM \"_store_metadata\" WHERE \"name\" = 'history_pruned'"

    /// Decodes the statement's current row, or returns nil for a save that was not recorded.
    private func transaction(
        _ statement: SQLiteStatement, _ request: HistoryRequest, _ decoder: inout HistoryDecoder
    ) throws(StoreError) -> HistoryTransaction? {
        if statement.isNull(4) { return nil }
        let changes = request.omitsChanges ? [] : try decoder.changes(Array(statement.bytes(4)))
        return HistoryTransaction(
            token: StoreToken(storeID: store.storeID, sequence: statement.integer(0)),
            date: Date(microseconds: statement.integer(1)),
            author: statement.isNull(2) ? nil : try statement.text(2),
            contextName: statement.isNull(3) ? nil : try statement.text(3), process: decoder.process,
            changes: changes)
    }
}
#endif
