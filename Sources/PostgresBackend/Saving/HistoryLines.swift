#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The lines of several saves in the history, which go to the server by one statement that numbers them.
struct HistoryLines {
    private let lines: [GatheredInsertions.Line]
    /// What tells the lines of this transaction from those of any other.
    private let mark: Int64

    init(_ lines: [GatheredInsertions.Line], mark: Int64) {
        self.lines = lines
        self.mark = mark
    }

    /// Posts them, behind the last line that there is; the answer has their numbers.
    ///
    /// A line's date is when it is written, though the statement may have been sent before others were waited for.
    ///
    /// - Parameter last: An expression for the number of the last line; where it is null, the statement fails.
    func post(
        to store: PostgresStore, _ connection: PostgresConnection, after last: String? = nil
    ) throws(StoreError) {
        let isSentAhead = last != nil
        let last = last ?? "SELECT coalesce(max(\"sequence\"), 0) FROM \(store.history)"
        var parameters = PostgresParameters()
        parameters.append(mark)
        parameters.append(moment: Date.now.microseconds)
        // The server's clock only says how long it has taken since the transaction began.
        let date = isSentAhead ? "$2 + (pg_catalog.clock_timestamp() - pg_catalog.now())" : "$2"
        let source: String
        if let line = lines.first, lines.count == 1 {
            // Apart from the other, which the server plans anew each time.
            parameters.append(line.author)
            parameters.append(line.contextName)
            parameters.append(packed(line, store))
            source = "VALUES ((\(last)) + 1, $1, \(date), $3, $4, $5)"
        } else {
            parameters.append(lines.map(\.author))
            parameters.append(lines.map(\.contextName))
            parameters.append(lines.map { packed($0, store) })
            source = """
                SELECT (\(last)) + line."place", $1, \(date), line."author", line."context", line."changes" \
                FROM unnest($3, $4, $5) WITH ORDINALITY AS line("author", "context", "changes", "place")
                """
        }
        try connection.post(
            """
            INSERT INTO \(store.history) ("sequence", "mark", "date", "author", "context", "changes") \
            \(source) RETURNING "sequence"
            """, parameters)
    }

    private func packed(_ line: GatheredInsertions.Line, _ store: PostgresStore) -> [UInt8]? {
        store.configuration.keepsHistory ? line.history.bytes(by: .current) : nil
    }
}
#endif
