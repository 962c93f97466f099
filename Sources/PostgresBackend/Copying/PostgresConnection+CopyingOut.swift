#if Postgres
import CPostgres
import ContextCore

/// COPY of a query's rows to the client.
extension PostgresConnection {
    /// Runs a query without parameters in a transaction, and passes its rows to a closure while the server sends the rest.
    ///
    /// The server takes as long as for a plain query, and libpq half as long, since it passes each row on and stores none.
    ///
    /// - Parameters:
    ///   - width: The number of columns of the query.
    ///   - text: The text of the query in errors, if the query itself contains values.
    ///   - body: Processes a row.
    /// - Throws: Errors of the server, and after all rows have arrived the first error of `body`; the transaction stays usable then.
    func copy(
        rowsOf query: String, width: Int, called text: String? = nil,
        _ body: (borrowing CopiedRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        let name = Self.copy(of: text ?? query)
        let start = ContinuousClock.now
        try startCopy(Self.copy(of: query), called: name, PGRES_COPY_OUT, at: start)
        var row = CopiedRow(width: width)
        var watch: ResultWait?
        var pace: ResultPacing?
        var failure: StoreError?
        while let message = try nextMessage(&watch, &pace) {
            defer { PQfreemem(message.baseAddress) }
            guard let content = row.read(UnsafeRawBufferPointer(message)) else {
                markBroken()
                throw .unknownFormatError
            }
            guard failure == nil, content == .row else { continue }
            do throws(StoreError) { try body(row) } catch { failure = error }
        }
        _ = try readResult(of: name, since: start)
        if let failure { throw failure }
    }

    private static func copy(of query: String) -> String { "COPY (\(query)) TO STDOUT (FORMAT binary)" }

    /// Waits for the next message, which the caller must free; nil after the last one, or if the server reports an error.
    ///
    /// - Parameters:
    ///   - watch: The state of the wait for all messages, so that a cancellation is sent once.
    ///   - pace: The state of the pauses between all messages.
    private func nextMessage(
        _ watch: inout ResultWait?, _ pace: inout ResultPacing?
    ) throws(StoreError) -> UnsafeMutableBufferPointer<CChar>? {
        while true {
            var bytes: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &bytes, 1)
            if count > 0 {
                watch?.recordActivity(at: .now)
                return UnsafeMutableBufferPointer(start: bytes, count: Int(count))
            }
            if count == -1 { return nil }
            // Another negative count means an error, such as too little memory, which would repeat.
            if count < 0 { throw abandonWithError() }
            pauseForMoreData(&pace)
            try wait(&watch, isSending: false)
        }
    }
}

extension StoreError {
    fileprivate static let unknownFormatError = StoreError(
        .database, "The server has sent rows in an unknown format.",
        remedy: "Fetch again. If the error persists, report it with the server's version.")
}
#endif
