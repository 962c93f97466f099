#if SQLite
import ContextCore

/// A bounded cache of a connection's prepared statements.
struct StatementCache {
    private var statements: [Text: SQLiteStatement] = [:]
    private var time = 0
    private let capacity: Int
    private var counts = DatabaseStatistics.Cache()

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A key that hashes only the length: few texts have equal lengths, and hashing all bytes takes longer than comparing them.
    private struct Text: FastHashable {
        let sql: String

        var hashBits: UInt { UInt(bitPattern: sql.utf8.count) }

        // Canonically equivalent strings may have different bytes, and so different lengths and hashes.
        static func == (left: Text, right: Text) -> Bool {
            left.sql.utf8.count == right.sql.utf8.count && left.sql == right.sql
        }
    }

    /// Returns the cached statement of a text.
    mutating func statement(_ sql: String) -> SQLiteStatement? {
        guard let statement = statements[Text(sql: sql)] else { return nil }
        counts.hits &+= 1
        time &+= 1
        statement.lastUse = time
        return statement
    }

    /// Inserts a statement and evicts the least recently used one if the cache is full.
    mutating func insert(_ statement: SQLiteStatement) {
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            statements[Text(sql: oldest.sql)] = nil
        }
        counts.misses &+= 1
        time &+= 1
        statement.lastUse = time
        statements[Text(sql: statement.sql)] = statement
    }

    mutating func removeAll() {
        statements = [:]
    }

    var count: Int { statements.count }

    /// Removes and returns the number of lookups since the last call.
    mutating func removeCounts() -> DatabaseStatistics.Cache {
        defer { counts = DatabaseStatistics.Cache() }
        return counts
    }
}
#endif
