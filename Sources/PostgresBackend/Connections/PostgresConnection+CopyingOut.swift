#if Postgres
import CPostgres
import ContextCore

/// How rows flow out of a query.
extension PostgresConnection {
    /// Runs a query without values inside a transaction, and hands its rows over one by one while the server works on the rest.
    ///
    /// A server takes as long for them as for an answer, and libpq half: it copies a row in one piece, and keeps none.
    ///
    /// - Parameters:
    ///   - width: How many columns the query has.
    ///   - text: The query as errors show it, where it has values in it.
    /// - Throws: also what `take` throws, once all rows have come: the transaction is as it was.
    func copy(
        rowsOf query: String, width: Int, called text: String? = nil,
        _ take: (borrowing CopiedRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        let name = Self.copy(of: text ?? query)
        let start = ContinuousClock.now
        try startCopy(Self.copy(of: query), called: name, PGRES_COPY_OUT, at: start)
        var row = CopiedRow(width: width)
        var watch: AnswerWatch?
        var pace: AnswerPace?
        var failure: StoreError?
        while let piece = try nextPiece(&watch, &pace) {
            defer { PQfreemem(piece.baseAddress) }
            guard let content = row.read(UnsafeRawBufferPointer(piece)) else {
                abandon()
                throw .unknownForm
            }
            guard failure == nil, content == .row else { continue }
            do throws(StoreError) { try take(row) } catch { failure = error }
        }
        _ = try answer(to: name, since: start)
        if let failure { throw failure }
    }

    private static func copy(of query: String) -> String { "COPY (\(query)) TO STDOUT (FORMAT binary)" }

    /// What comes next, to be freed; nil when all has come, or the server has something to say.
    ///
    /// - Parameter watch: One for all pieces, as the server is told once that nobody wants the rest.
    private func nextPiece(
        _ watch: inout AnswerWatch?, _ pace: inout AnswerPace?
    ) throws(StoreError) -> UnsafeMutableBufferPointer<CChar>? {
        while true {
            var bytes: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &bytes, 1)
            if count > 0 {
                watch?.noteSign(at: .now)
                return UnsafeMutableBufferPointer(start: bytes, count: Int(count))
            }
            if count == -1 { return nil }
            // Otherwise libpq had no memory for a row, and would say so again and again.
            if count < 0 { throw lost() }
            rest(&pace)
            try wait(&watch, isSending: false)
        }
    }
}

extension StoreError {
    fileprivate static let unknownForm = StoreError(
        .database, "The server has sent rows in a form that nobody here knows.",
        remedy: "Fetch again; if it happens anew, report it with the server's version.")
}
#endif
