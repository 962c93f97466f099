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
    /// - Parameter last: An expression for the number of the last line; where it is null, the statement fails.
    func post(
        to store: PostgresStore, _ connection: PostgresConnection, after last: String? = nil
    ) throws(StoreError) {
        let last = last ?? "SELECT coalesce(max(\"sequence\"), 0) FROM \(store.history)"
        var parameters = PostgresParameters()
        parameters.append(mark)
        parameters.append(moment: Date.now.microseconds)
        parameters.append(lines.map(\.author))
        parameters.append(lines.map(\.contextName))
        parameters.append(
            lines.map { store.configuration.keepsHistory ? $0.history.bytes(by: .current) : nil })
        try connection.post(
            """
            INSERT INTO \(store.history) ("sequence", "mark", "date", "author", "context", "changes") \
            SELECT (\(last)) + line."place", $1, $2, line."author", line."context", line."changes" \
            FROM unnest($3, $4, $5) WITH ORDINALITY AS line("author", "context", "changes", "place") \
            RETURNING "sequence"
            """, parameters)
    }
}
#endif
