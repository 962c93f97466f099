#if Postgres
/// A pipelined statement, and how its result is used.
struct PipelinedStatement {
    let sql: String
    /// The values for the statement log; nil if it doesn't include them.
    var parameters: PostgresParameters?
    /// The key of its prepared statement; nil unless its preparation was sent before it in the pipeline.
    var shape: PreparedStatementNames.Shape?
    /// The expected number of changed rows; nil for any number.
    var count: Int?
    /// Whether its rows are processed as soon as they arrive; otherwise the connection stores them until the next rows arrive.
    var isProcessedImmediately = false
    /// Whether it reads the end of the history for a transaction whose first query is in the same pipeline.
    var readsHistoryEnd = false
}

/// The start of a transaction whose statements are pipelined, and whose first query goes to the server in the same round trip.
struct PipelinedStart {
    /// The number up to which the connection knew that the history has no gaps.
    let knownEnd: Int64
    /// Whether the query of the end of the history has returned.
    private(set) var isRead = false
    /// The end of the history; nil until it is read, and if the schema has another store, or this one with another model.
    private(set) var historyEnd: HistoryEnd?
    /// Whether the query has read all records; otherwise the transaction reads the rest with another query.
    private(set) var isComplete = false

    init(knownEnd: Int64) { self.knownEnd = knownEnd }

    fileprivate mutating func readHistoryEnd(_ answer: PostgresResult) {
        isRead = true
        guard answer.number(0) == knownEnd else { return }
        let (reading, isComplete) = HistoryEnd.quick(answer, knownEnd: knownEnd)
        (historyEnd, self.isComplete) = (reading, isComplete)
    }
}

/// The statements of a connection's pipeline, and what it stores of their results.
struct StatementPipeline {
    /// The largest number of bytes of values to keep in libpq's send buffer, which is limited to two gigabytes.
    static let maximumBytes = 8 * 1024 * 1024

    /// The statements whose results have not been read.
    private(set) var statements: [PipelinedStatement] = []
    /// The time when the first of these statements was sent.
    private(set) var start = ContinuousClock.now
    /// The number of these statements, from the first, that a cancellation must not interrupt.
    private var protectedCount = 0
    /// The number of bytes of values that were pipelined since the send buffer was last empty.
    private var bytes = 0
    /// Whether all pipelined statements since the last check have changed the expected number of rows.
    private var hasExpectedRowCounts = true
    /// The last rows that a pipelined statement has returned.
    private(set) var rows: PostgresResult?
    /// The beginning of a transaction that was sent without waiting for its results; nil once the transaction has begun.
    private(set) var transactionStart: PipelinedStart?

    var isEmpty: Bool { statements.isEmpty }

    /// Sets the time when the first statement is sent.
    mutating func begin(at now: ContinuousClock.Instant) { start = now }

    /// Adds the bytes of a statement's values, and returns whether the send buffer must be emptied first.
    mutating func addBytes(_ count: Int) -> Bool {
        bytes += count
        return bytes > Self.maximumBytes
    }

    mutating func resetBytes() { bytes = 0 }

    /// Appends a statement, with its values if the statement log includes them.
    mutating func append(_ statement: PipelinedStatement, _ parameters: PostgresParameters? = nil) {
        statements.append(statement)
        if let parameters { statements[statements.count - 1].parameters = parameters }
    }

    /// Protects the statements so far from cancellation.
    mutating func protectStatements() { protectedCount = statements.count }

    /// Removes and returns the statements, whose results are read next.
    mutating func removeStatements() -> (statements: [PipelinedStatement], protectedCount: Int) {
        defer { (statements, protectedCount, bytes) = ([], 0, 0) }
        return (statements, protectedCount)
    }

    /// Begins a transaction with the statements so far, of which the last one reads the end of the history.
    mutating func beginTransaction(knownEnd: Int64) {
        transactionStart = PipelinedStart(knownEnd: knownEnd)
        statements[statements.count - 1].readsHistoryEnd = true
    }

    mutating func readHistoryEnd(_ result: PostgresResult) { transactionStart?.readHistoryEnd(result) }
    mutating func endTransactionStart() { transactionStart = nil }

    /// Stores the rows of a result, and compares the number of rows that its statement has changed with the expected one.
    mutating func record(_ result: PostgresResult, changing count: Int?) {
        if result.width > 0 { rows = result }
        if let count, result.changedRows != count { hasExpectedRowCounts = false }
    }

    mutating func discardRows() { rows = nil }

    /// Returns whether all statements since the last call have changed the expected number of rows.
    @discardableResult
    mutating func finishRowCountCheck() -> Bool {
        defer { hasExpectedRowCounts = true }
        return hasExpectedRowCounts
    }
}
#endif
