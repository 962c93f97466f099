#if Postgres
import CPostgres
import ContextCore
import Foundation
import SQLStore

extension PostgresInspector: StoreExaminer {
    func examine() throws -> [StoreExamination] {
        let connection = try connection()
        var examinations = [
            try pooler(connection), try clock(connection), try connections(connection),
            try permissions(connection), try HistoryExamination(connection: connection).examine(),
        ]
        if let leftovers = try stagingSchemaExamination(connection) { examinations.append(leftovers) }
        return examinations
    }

    func migratingProcess() throws -> String? {
        _ = try models()
        let connection = try connection()
        let store = PostgresStore.lockKey(of: try StoreCatalog(connection: connection).storeID())
        let result = try connection.run(
            """
            SELECT 'server process ' || a.pid || ' of ' || coalesce(host(a.client_addr), 'this machine') || ', ' || a.application_name \
            FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid \
            JOIN pg_catalog.pg_database AS d ON d.oid = l.database AND d.datname = current_database() \
            WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 \
            AND l.classid::int8 = \(UInt32(bitPattern: PostgresMigrationConnection.lockClassID)) \
            AND l.objid::int8 = \(UInt32(bitPattern: PostgresMigrationConnection.lockObjectID(of: store))) LIMIT 1
            """)
        return result.count > 0 ? result.text(0, 0) : nil
    }

    /// Detects a pooler, which reports another process number than that of the process that runs statements.
    private func pooler(_ connection: PostgresConnection) throws(StoreError) -> StoreExamination {
        var processes: Set<Int64> = [Int64(connection.process.pid)]
        for _ in 0..<3 { processes.insert(try connection.integer("SELECT pg_catalog.pg_backend_pid()") ?? 0) }
        if processes.count == 1 { return StoreExamination("pooler", "none; the connection is direct") }
        if configuration.isPooled { return StoreExamination("pooler", "one, as configured in the URL") }
        return StoreExamination(
            "pooler", "There is a pooler between the program and the server.",
            remedy:
                "Add pooler=on to the URL of programs, and use the server's own address for migrations.")
    }

    /// The tolerated difference between the clocks, in seconds.
    private static let clockTolerance = 5.0

    private func clock(_ connection: PostgresConnection) throws(StoreError) -> StoreExamination {
        let before = Date().timeIntervalSince1970
        let result = try connection.integer(
            "SELECT (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::int8")
        let after = Date().timeIntervalSince1970
        let server = Double(result ?? 0) / 1000
        let distance = server < before ? server - before : max(0, server - after)
        if abs(distance) <= Self.clockTolerance {
            return StoreExamination("clock", "the same as the server's")
        }
        return StoreExamination(
            "clock",
            "The server's clock is \(Int(abs(distance))) seconds \(distance > 0 ? "ahead of" : "behind") this machine's.",
            remedy: "Synchronize both with NTP, so that the dates of saves are right.")
    }

    private func connections(_ connection: PostgresConnection) throws(StoreError) -> StoreExamination {
        let result = try connection.run(
            """
            SELECT count(*)::int8, current_setting('max_connections')::int8 FROM pg_catalog.pg_stat_activity \
            WHERE backend_type = 'client backend'
            """)
        let (used, most) = (result.integer(0, 0), result.integer(0, 1))
        let finding = "\(used) of \(most) are in use"
        if used * 10 < most * 9 { return StoreExamination("connections", finding) }
        return StoreExamination(
            "connections", finding + ".",
            remedy: "Reduce the connections of programs, or raise the server's max_connections.")
    }

    /// Checks the role's privileges on the schema's tables.
    private func permissions(_ connection: PostgresConnection) throws(StoreError) -> StoreExamination {
        let result = try connection.run(
            """
            SELECT count(*) FILTER (WHERE NOT has_table_privilege(c.oid, 'SELECT'))::int8, \
            count(*) FILTER (WHERE NOT (has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE') \
            AND has_table_privilege(c.oid, 'DELETE')))::int8, \
            count(*) FILTER (WHERE NOT pg_has_role(c.relowner, 'USAGE'))::int8, current_user::text \
            FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
            """, schemaParameter)
        let role = result.text(0, 3)
        for (place, word, privilege) in [(0, "read", "SELECT"), (1, "write", "INSERT, UPDATE, DELETE")]
        where result.integer(0, place) > 0 {
            return StoreExamination(
                "permissions", "\(role) may not \(word) \(result.integer(0, place)) of the tables.",
                remedy:
                    "If it should, run GRANT \(privilege) ON ALL TABLES IN SCHEMA \(schema) TO that role.")
        }
        return StoreExamination(
            "permissions",
            result.integer(0, 2) > 0
                ? "\(role) may read and write; only the tables' owner may migrate"
                : "\(role) may read, write and migrate")
    }

    private func stagingSchemaExamination(_ connection: PostgresConnection) throws(StoreError)
        -> StoreExamination?
    {
        var parameters = PostgresParameters()
        parameters.append(stagingSchema)
        let found = try connection.run(
            "SELECT count(*)::int8 FROM pg_catalog.pg_namespace WHERE nspname = $1", parameters)
        if found.integer(0, 0) == 0 { return nil }
        return StoreExamination(
            "leftovers", "The schema \(stagingSchema) belongs to a restore that is running or was killed.",
            remedy: "If none is running, drop it, or run 'storectl backup restore' again, which removes it.")
    }
}
#endif
