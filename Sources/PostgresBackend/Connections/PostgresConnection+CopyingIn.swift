#if Postgres
import CPostgres
import ContextCore

/// How rows flow into a table.
extension PostgresConnection {
    /// Runs a COPY whose rows are given in binary, some at a time.
    ///
    /// - Parameter next: Appends some rows, and answers whether there are more.
    func copy(_ sql: String, _ next: (inout [UInt8]) -> Bool) throws(StoreError) {
        let start = ContinuousClock.now
        try startCopy(sql, called: sql, PGRES_COPY_IN, at: start)
        roundTrips += 1
        copiedBytes = 0
        defer { copiedBytes = nil }
        var watch = startWatch()
        var bytes = CopyFormat.beginning
        var hasMore = true
        while hasMore {
            // The server answers so what it would answer to a request to cancel.
            if heedsCancellation, Task.isCancelled { return try endCopy(sql, at: start, "cancelled") }
            hasMore = next(&bytes)
            if !hasMore { bytes += CopyFormat.end }
            try send(bytes, &watch)
            bytes.removeAll(keepingCapacity: true)
        }
        try endCopy(sql, at: start, nil)
    }

    /// Waits until the server takes rows, or has some.
    ///
    /// - Parameter name: The statement as errors show it.
    func startCopy(
        _ sql: String, called name: String, _ direction: ExecStatusType, at start: ContinuousClock.Instant
    ) throws(StoreError) {
        try settleDown()
        try payOwed()
        roundTrips += 1
        guard PQsendQuery(handle, sql) == 1, let result = try nextResult() else { throw lost() }
        if PQresultStatus(result) == direction { return PQclear(result) }
        do throws(StoreError) {
            _ = try checked(result, name, since: start)
        } catch {
            while let rest = try nextResult() { PQclear(rest) }
            throw error
        }
        throw lost()
    }

    /// Hands bytes over, as fast as the server takes them.
    private func send(_ bytes: [UInt8], _ watch: inout AnswerWatch) throws(StoreError) {
        // A message need not end where a row does, and libpq holds no more than two gigabytes.
        for part in RowColumns.chunks(bytes.count, of: Self.longestMessage) {
            let isQueued = bytes.withUnsafeBytes { buffer in
                // Bytes by another name: libpq copies so many of them before it returns.
                let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
                return PQputCopyData(handle, start.map { $0 + part.lowerBound }, Int32(part.count))
            }
            if isQueued != 1 { throw lost() }
            try flush(&watch)
        }
    }

    private static let longestMessage = 64 * 1024 * 1024

    /// Says that there are no more rows, or why there will be none, and hears what has become of those that flowed.
    private func endCopy(
        _ sql: String, at start: ContinuousClock.Instant, _ complaint: String?
    ) throws(StoreError) {
        guard PQputCopyEnd(handle, complaint) == 1 else { throw lost() }
        _ = try answer(to: sql, since: start)
    }
}
#endif
