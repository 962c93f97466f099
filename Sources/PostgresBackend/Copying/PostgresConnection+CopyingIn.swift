#if Postgres
import CPostgres
import ContextCore

/// COPY of rows into a table.
extension PostgresConnection {
    /// Runs a COPY in binary format, and sends the rows in chunks.
    ///
    /// - Parameter next: Appends the next rows to the buffer, and returns whether more follow.
    func copy(_ sql: String, _ next: (inout [UInt8]) -> Bool) throws(StoreError) {
        let start = ContinuousClock.now
        try startCopy(sql, called: sql, PGRES_COPY_IN, at: start)
        countRoundTrip()
        copiedBytes = 0
        defer { copiedBytes = nil }
        var watch = makeResultWait()
        var bytes = CopyFormat.beginning
        var hasMore = true
        while hasMore {
            // The server reports an aborted COPY with the same SQLSTATE as a cancelled statement.
            if isCancelled { return try endCopy(sql, at: start, "cancelled") }
            hasMore = next(&bytes)
            if !hasMore { bytes += CopyFormat.end }
            try send(bytes, &watch)
            bytes.removeAll(keepingCapacity: true)
        }
        try endCopy(sql, at: start, nil)
    }

    /// Starts a COPY, and waits until the server is ready for it.
    ///
    /// - Parameter name: The text of the statement in errors.
    func startCopy(
        _ sql: String, called name: String, _ direction: ExecStatusType, at start: ContinuousClock.Instant
    ) throws(StoreError) {
        try readOutstandingResults()
        try checkPipelinedStart()
        try runScheduledStatements()
        countRoundTrip()
        guard PQsendQuery(handle, sql) == 1, let result = try nextResult() else { throw abandonWithError() }
        if PQresultStatus(result) == direction { return PQclear(result) }
        do throws(StoreError) {
            _ = try checkedResult(result, name, since: start)
        } catch {
            while let rest = try nextResult() { PQclear(rest) }
            throw error
        }
        throw abandonWithError()
    }

    /// Sends bytes, and waits until libpq's buffer is empty.
    private func send(_ bytes: [UInt8], _ watch: inout ResultWait) throws(StoreError) {
        // Messages may end within a row, and libpq's buffer is limited to two gigabytes.
        for part in RowColumns.chunks(bytes.count, of: Self.maximumMessageSize) {
            let isQueued = bytes.withUnsafeBytes { buffer in
                // Safe: the type has the same layout, and libpq copies the bytes before it returns.
                let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                return PQputCopyData(handle, start.map { $0 + part.lowerBound }, Int32(part.count))
            }
            if isQueued != 1 { throw abandonWithError() }
            try flush(&watch)
        }
    }

    private static let maximumMessageSize = 64 * 1024 * 1024

    /// Ends a COPY, or aborts it with a reason, and waits for its result.
    private func endCopy(
        _ sql: String, at start: ContinuousClock.Instant, _ abortReason: String?
    ) throws(StoreError) {
        guard PQputCopyEnd(handle, abortReason) == 1 else { throw abandonWithError() }
        _ = try readResult(of: sql, since: start)
    }
}
#endif
