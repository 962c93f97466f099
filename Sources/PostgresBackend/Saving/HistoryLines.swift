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
    func post(
        to store: PostgresStore, _ connection: PostgresConnection, by texts: HistoryTexts
    ) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(mark)
        parameters.append(moment: Date.now.microseconds)
        if let line = lines.first, lines.count == 1 {
            parameters.append(line.author)
            parameters.append(line.contextName)
            parameters.append(packed(line, store))
            return try connection.post(texts.single, parameters)
        }
        parameters.append(lines.map(\.author))
        parameters.append(lines.map(\.contextName))
        parameters.append(lines.map { packed($0, store) })
        try connection.post(texts.several, parameters)
    }

    private func packed(_ line: GatheredInsertions.Line, _ store: PostgresStore) -> [UInt8]? {
        store.configuration.keepsHistory ? line.history.bytes(by: .current) : nil
    }
}

/// The statements that write lines of the history: mark, date, authors, contexts, changes.
struct HistoryTexts: Sendable {
    /// Writes one line: apart from the other, which the server plans anew each time.
    let single: String
    /// Writes lines out of an array a column.
    let several: String

    /// - Parameters:
    ///   - last: A query for the number of the last line; where it is null, the statement fails.
    ///   - isSentAhead: Whether the statement may be sent before others are waited for. A line's date is when it is written, and the
    ///     server's clock says only how long that has taken since the transaction began.
    init(_ history: String, after last: String, isSentAhead: Bool) {
        let insertion = """
            INSERT INTO \(history) ("sequence", "mark", "date", "author", "context", "changes")
            """
        let date = isSentAhead ? "$2 + (pg_catalog.clock_timestamp() - pg_catalog.now())" : "$2"
        single = """
            \(insertion) VALUES ((\(last)) + 1, $1, \(date), $3, $4, $5) RETURNING "sequence"
            """
        several = """
            \(insertion) SELECT (\(last)) + line."place", $1, \(date), line."author", line."context", line."changes" \
            FROM unnest($3, $4, $5) WITH ORDINALITY AS line("author", "context", "changes", "place") RETURNING "sequence"
            """
    }
}
#endif
