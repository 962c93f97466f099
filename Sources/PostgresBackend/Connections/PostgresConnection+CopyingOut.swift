#if Postgres
import CPostgres
import ContextCore

/// How rows flow out of a query.
extension PostgresConnection {
    /// Runs a query without values inside a transaction, and hands its rows over one by one while the server works on the rest.
    ///
    /// A server takes as long for them as for an answer, and libpq half: it copies a row in one piece, and keeps none.
    ///
    /// - Parameter width: How many columns the query has.
    /// - Throws: also what `take` throws, once all rows have come: the transaction is as it was.
    func copy(
        rowsOf query: String, width: Int, _ take: (borrowing CopiedRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        let sql = "COPY (\(query)) TO STDOUT (FORMAT binary)"
        let start = ContinuousClock.now
        try startCopy(sql, PGRES_COPY_OUT, at: start)
        var row = CopiedRow(width: width)
        var failure: StoreError?
        while let piece = try nextPiece() {
            defer { PQfreemem(piece.baseAddress) }
            guard row.read(UnsafeRawBufferPointer(piece)) else {
                abandon()
                throw .unknownForm
            }
            if failure != nil || row.isEnd { continue }
            do throws(StoreError) { try take(row) } catch { failure = error }
        }
        _ = try answer(to: sql, since: start)
        if let failure { throw failure }
    }

    /// What comes next, to be freed; nil when all has come, or the server has something to say.
    private func nextPiece() throws(StoreError) -> UnsafeMutableBufferPointer<CChar>? {
        var watch: AnswerWatch?
        while true {
            var bytes: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &bytes, 1)
            if count > 0 { return UnsafeMutableBufferPointer(start: bytes, count: Int(count)) }
            if count < 0 { return nil }
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
