#if SQLite
import ContextCore
import SQLStore

/// Deletes many rows of one entity: consecutive keys with one statement, and others one by one.
///
/// SQLite scans a range of keys, while each single key is looked up from the root of the b-tree, which takes half as long again.
struct RowDeletion {
    /// The number of consecutive keys from which a range is deleted with one statement.
    private static let minimumRunLength = 4

    private let texts: EntityStatements
    private let connection: SQLiteConnection
    /// The statements in use, for one row or a range, without and with a version.
    private var statements: [SQLiteStatement?] = [nil, nil, nil, nil]

    init(_ texts: EntityStatements, _ connection: SQLiteConnection) {
        self.texts = texts
        self.connection = connection
    }

    /// Deletes rows; returns false as soon as one is missing or its version has changed.
    mutating func delete(_ deletion: ChangeSet.Deletion) throws(StoreError) -> Bool {
        let (keys, versions) = Self.sortedByKey(deletion)
        defer { for statement in statements { statement?.reset() } }
        var start = 0
        while start < keys.count {
            var end = start + 1
            while end < keys.count, keys[end] == keys[end - 1] &+ 1, versions[end] == versions[start] {
                end += 1
            }
            if end - start >= Self.minimumRunLength {
                guard try deleteRun(keys[start], keys[end - 1], versions[start], count: end - start) else {
                    return false
                }
            } else {
                for index in start..<end {
                    guard try deleteRow(keys[index], versions[index]) else { return false }
                }
            }
            start = end
        }
        return true
    }

    /// Returns the keys and versions sorted by key; usually they are sorted already.
    private static func sortedByKey(_ deletion: ChangeSet.Deletion) -> (keys: [Int64], versions: [Int64?]) {
        let keys = deletion.keys
        var isOrdered = true
        for index in keys.indices.dropFirst() where keys[index - 1] >= keys[index] {
            isOrdered = false
            break
        }
        if isOrdered { return (keys, deletion.baseVersions) }
        let order = keys.indices.sorted { keys[$0] < keys[$1] }
        return (order.map { keys[$0] }, order.map { deletion.baseVersions[$0] })
    }

    private mutating func deleteRun(
        _ first: Int64, _ last: Int64, _ version: Int64?, count: Int
    ) throws(StoreError) -> Bool {
        let sql = version == nil ? texts.runDeletion : texts.versionedRunDeletion
        let statement = try statement(sql, at: version == nil ? 2 : 3)
        statement.bind(1, first)
        statement.bind(2, last)
        if let version { statement.bind(3, version) }
        return try runExpectingChanges(statement, count)
    }

    private mutating func deleteRow(_ key: Int64, _ version: Int64?) throws(StoreError) -> Bool {
        let sql = version == nil ? texts.deletion : texts.versionedDeletion
        let statement = try statement(sql, at: version == nil ? 0 : 1)
        statement.bind(1, key)
        if let version { statement.bind(2, version) }
        return try runExpectingChanges(statement, 1)
    }

    private mutating func statement(_ sql: String, at place: Int) throws(StoreError) -> SQLiteStatement {
        if let known = statements[place] { return known }
        let statement = try connection.statement(sql)
        statements[place] = statement
        return statement
    }

    /// Runs a statement, and returns whether it deleted the expected number of rows.
    private func runExpectingChanges(_ statement: SQLiteStatement, _ count: Int) throws(StoreError) -> Bool {
        try statement.run()
        statement.rewind()
        return connection.changedRows == count
    }
}
#endif
