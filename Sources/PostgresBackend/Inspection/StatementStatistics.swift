#if Postgres
import ContextCore
import SQLStore

/// Reads the statements that took the most time, if the extension `pg_stat_statements` records them.
struct StatementStatistics {
    let connection: PostgresConnection

    private static let limit = 10

    func add(to activity: inout StoreActivity, _ detail: StatementDetail) throws(StoreError) {
        let extensions = try connection.run(
            """
            SELECT n.nspname::text FROM pg_catalog.pg_extension AS e \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'
            """)
        guard extensions.count > 0 else {
            activity.limits.append(
                "The server records no statements. Slow ones are listed if the extension pg_stat_statements is loaded and created in this database."
            )
            return
        }
        do throws(StoreError) {
            try addStatements(to: &activity, detail, schema: extensions.text(0, 0))
        } catch  where connection.isAlive {
            activity.limits.append(
                "The slow statements can't be read: \(error.message) Add pg_stat_statements to shared_preload_libraries and restart the server, or grant this role the right to read the extension's view."
            )
        }
    }

    private func addStatements(
        to activity: inout StoreActivity, _ detail: StatementDetail, schema: String
    ) throws(StoreError) {
        // Before its version 1.8 the extension names the time of executions total_time.
        let result = try connection.run(
            """
            SELECT pg_catalog.left(query, \(SessionActivity.statementLength)), calls::int8, (time * 1000)::int8 FROM (\
            SELECT s.query, s.calls, coalesce(pg_catalog.to_jsonb(s) ->> 'total_exec_time', \
            pg_catalog.to_jsonb(s) ->> 'total_time')::float8 AS time \
            FROM \(SQLDialect.postgres.quoted(schema)).pg_stat_statements AS s WHERE s.dbid = \(ActivityQueries.database) \
            AND s.calls > 0 AND s.query <> '<insufficient privilege>') AS costs ORDER BY time DESC LIMIT \(Self.limit)
            """)
        activity.slowStatements = (0..<result.count).map { row in
            let (calls, total) = (result.integer(row, 1), Duration.microseconds(result.integer(row, 2)))
            return StoreActivity.StatementCost(
                statement: detail.text(of: result.text(row, 0)), calls: calls, total: total,
                mean: total / Int(calls))
        }
    }
}
#endif
