#if SQLite

/// The statements that a connection has prepared, as many as its bound allows.
struct StatementCache {
    private var statements: [String: SQLiteStatement] = [:]
    private var time = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Finds the statement of a text.
    mutating func statement(_ sql: String) -> SQLiteStatement? {
        guard let statement = statements[sql] else { return nil }
        time &+= 1
        statement.lastUse = time
        return statement
    }

    /// Keeps a statement; the one that was not used for the longest time gives way.
    mutating func insert(_ statement: SQLiteStatement) {
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            statements[oldest.sql] = nil
        }
        time &+= 1
        statement.lastUse = time
        statements[statement.sql] = statement
    }

    mutating func removeAll() {
        statements = [:]
    }

    var count: Int { statements.count }
}
#endif
