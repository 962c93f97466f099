#if SQLite
import ContextCore

/// The statements that a connection has prepared, as many as its bound allows.
struct StatementCache {
    private var statements: [Text: SQLiteStatement] = [:]
    private var time = 0
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// A text as a key: there are few of one length, and to mix all of its bytes takes longer than to compare them.
    private struct Text: PlainlyHashed {
        let sql: String

        var hashBits: UInt { UInt(bitPattern: sql.utf8.count) }

        // Texts may be equal to Swift that are spelt with other bytes, and so have another hash.
        static func == (left: Text, right: Text) -> Bool {
            left.sql.utf8.count == right.sql.utf8.count && left.sql == right.sql
        }
    }

    /// Finds the statement of a text.
    mutating func statement(_ sql: String) -> SQLiteStatement? {
        guard let statement = statements[Text(sql: sql)] else { return nil }
        time &+= 1
        statement.lastUse = time
        return statement
    }

    /// Keeps a statement; the one that was not used for the longest time gives way.
    mutating func insert(_ statement: SQLiteStatement) {
        if statements.count >= capacity, let oldest = statements.values.min(by: { $0.lastUse < $1.lastUse }) {
            statements[Text(sql: oldest.sql)] = nil
        }
        time &+= 1
        statement.lastUse = time
        statements[Text(sql: statement.sql)] = statement
    }

    mutating func removeAll() {
        statements = [:]
    }

    var count: Int { statements.count }
}
#endif
