#if Postgres
import ContextCore
import Foundation
import SQLStore

/// The SQL fragments that several queries of a store's activity share; their parameter `$1` is the name of the store's schema.
struct ActivityQueries {
    let schema: String
    /// The key of the store's advisory locks; nil if the schema contains no store.
    let storeKey: Int64?

    var parameters: PostgresParameters {
        var parameters = PostgresParameters()
        parameters.append(schema)
        return parameters
    }

    /// The query of all locks in this database, each with the name of its table if the table is in the store's schema.
    ///
    /// `waitstart` exists since PostgreSQL 14, so it is read by its name.
    var locks: String {
        """
        SELECT l.pid::int8 AS pid, l.locktype, l.mode, l.granted, l.virtualtransaction, l.transactionid, c.relname, \
        CASE WHEN NOT l.granted THEN (pg_catalog.to_jsonb(l) ->> 'waitstart')::timestamptz END AS waitstart, \
        c.oid IS NOT NULL OR (\(isOfStore)) AS of_store, (\(isOfMigration)) AS of_migration \
        FROM pg_catalog.pg_locks AS l LEFT JOIN (pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n \
        ON n.oid = c.relnamespace AND n.nspname = $1) ON c.oid = l.relation AND l.database = \(Self.database) \
        WHERE l.database = \(Self.database) OR l.database IS NULL
        """
    }

    static let database = """
        (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database())
        """

    /// The condition that a lock is one of the store's advisory locks.
    private var isOfStore: String {
        guard let storeKey else { return "false" }
        let key = UInt64(bitPattern: storeKey)
        return """
            l.locktype = 'advisory' AND l.objsubid = 1 AND l.classid::int8 = \(key >> 32) \
            AND l.objid::int8 = \(key & 0xFFFF_FFFF) OR \(isOfMigration)
            """
    }

    /// The condition that a lock is the one that a migration of the store holds.
    private var isOfMigration: String {
        guard let storeKey else { return "false" }
        return """
            l.locktype = 'advisory' AND l.objsubid = 2 \
            AND l.classid::int8 = \(UInt32(bitPattern: PostgresMigrationConnection.lockClassID)) \
            AND l.objid::int8 = \(UInt32(bitPattern: PostgresMigrationConnection.lockObjectID(of: storeKey)))
            """
    }

    /// Returns the expression of a timestamp's microseconds since 1970.
    static func microseconds(_ timestamp: String) -> String {
        "(extract(epoch FROM \(timestamp)) * 1000000)::int8"
    }
}

extension PostgresResult {
    /// Returns a text; nil if it is null or empty.
    func nonEmptyText(_ row: Int, _ column: Int) -> String? {
        if isNull(row, column) { return nil }
        let text = text(row, column)
        return text.isEmpty ? nil : text
    }

    /// Returns an integer; nil if it is null.
    func integerIfPresent(_ row: Int, _ column: Int) -> Int64? {
        isNull(row, column) ? nil : integer(row, column)
    }

    /// Returns the date of a number of microseconds since 1970; nil if it is null.
    func date(_ row: Int, _ column: Int) -> Date? {
        integerIfPresent(row, column).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }

    /// Returns the process numbers in a text, each of them once, in ascending order.
    func processes(_ row: Int, _ column: Int) -> [Int64] {
        Set((nonEmptyText(row, column) ?? "").split(separator: " ").compactMap { Int64($0) }).sorted()
    }
}
#endif
