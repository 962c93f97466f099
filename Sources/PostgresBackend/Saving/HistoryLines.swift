#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The lines of a transaction's saves in the history, which are written where it commits.
///
/// Its numbers are taken then, after all that it had to wait for. So a transaction that changes what another has saved has a higher one.
struct HistoryLines {
    private let lines: [GatheredInsertions.Line]
    /// What tells the lines of this transaction from those of any other.
    private let mark: Int64

    init(_ lines: [GatheredInsertions.Line], mark: Int64) {
        self.lines = lines
        self.mark = mark
    }

    /// Writes the lines; the answer has their numbers.
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
    ///   - number: An expression for the next line's number.
    ///   - isSentAhead: Whether the statement is sent when its transaction begins. A line's date is when it is written, and the
    ///     server's clock says only how long that has taken since.
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

extension PostgresResult {
    /// The numbers in its first column.
    var numbers: [Int64] { (0..<count).map { integer($0, 0) } }
}
#endif
