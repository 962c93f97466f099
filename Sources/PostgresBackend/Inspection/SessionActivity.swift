#if Postgres
import ContextCore
import SQLStore

/// Reads the sessions that work in a store's database, and the locks that they wait for.
struct SessionActivity {
    let connection: PostgresConnection
    let queries: ActivityQueries

    /// The number of characters of a statement that a report contains.
    static let statementLength = 2000
    /// The largest number of sessions that a report contains.
    private static let sessionLimit = 500

    func add(to activity: inout StoreActivity, _ statements: StatementDetail) throws(StoreError) {
        let result = try connection.run(sessions, queries.parameters)
        activity.sessions = (0..<result.count).map { session(result, $0, statements) }
        let hidden = (0..<result.count).count { result.isNull($0, 4) }
        if hidden > 0 {
            activity.limits.append(
                "\(hidden) of the sessions belong to other roles, so that their state and transactions are hidden. To see them, grant this role the role pg_read_all_stats."
            )
        }
        if result.count == Self.sessionLimit {
            activity.limits.append("Only the first \(Self.sessionLimit) sessions are listed.")
        }
        try addWaits(to: &activity)
    }

    private var sessions: String {
        """
        WITH locks AS (\(queries.locks)), holders AS (SELECT pid, pg_catalog.bool_or(of_store) AS uses, \
        pg_catalog.bool_or(NOT granted) AS waits FROM locks GROUP BY pid) \
        SELECT a.pid::int8, coalesce(nullif(a.application_name, ''), a.backend_type), a.usename::text, \
        pg_catalog.host(a.client_addr), a.state, \(ActivityQueries.microseconds("a.state_change")), \
        pg_catalog.concat_ws(' ', a.wait_event_type, a.wait_event), \
        CASE WHEN h.waits THEN pg_catalog.array_to_string(pg_catalog.pg_blocking_pids(a.pid), ' ') END, \
        \(ActivityQueries.microseconds("a.xact_start")), coalesce(h.uses, false), \
        pg_catalog.left(a.query, \(Self.statementLength)) \
        FROM pg_catalog.pg_stat_activity AS a LEFT JOIN holders AS h ON h.pid = a.pid \
        WHERE a.datname = pg_catalog.current_database() AND a.pid <> pg_catalog.pg_backend_pid() \
        AND (a.backend_type IN ('client backend', 'autovacuum worker') \
        OR a.backend_type IS NULL AND a.usename IS NOT NULL) \
        ORDER BY coalesce(h.uses, false) DESC, a.xact_start NULLS LAST, a.pid LIMIT \(Self.sessionLimit)
        """
    }

    private func session(
        _ result: PostgresResult, _ row: Int, _ statements: StatementDetail
    ) -> StoreActivity.Session {
        var session = StoreActivity.Session(process: result.integer(row, 0))
        session.program = result.nonEmptyText(row, 1)
        session.user = result.nonEmptyText(row, 2)
        session.address = result.nonEmptyText(row, 3)
        session.state = result.nonEmptyText(row, 4)
        session.since = result.date(row, 5)
        // An idle session waits for its client; this wait is not a problem.
        session.wait = session.state == "idle" ? nil : result.nonEmptyText(row, 6)
        session.blockers = result.processes(row, 7)
        session.transactionStart = result.date(row, 8)
        session.usesStore = result.integer(row, 9) != 0
        session.statement =
            session.state == nil ? nil : result.nonEmptyText(row, 10).flatMap(statements.text(of:))
        return session
    }

    private func addWaits(to activity: inout StoreActivity) throws(StoreError) {
        // A row that another transaction has changed is waited for by that transaction's number, which names no table.
        let result = try connection.run(
            """
            WITH locks AS (\(queries.locks)) \
            SELECT l.pid, CASE WHEN l.of_migration THEN 'the lock of migrations' WHEN l.locktype = 'advisory' THEN 'the store' \
            WHEN l.locktype = 'relation' THEN l.relname::text WHEN l.locktype = 'tuple' THEN 'a row of ' || l.relname \
            WHEN l.locktype = 'transactionid' THEN 'a row that another transaction has changed' \
            ELSE l.locktype END, l.mode, \
            coalesce(\(ActivityQueries.microseconds("l.waitstart")), \(ActivityQueries.microseconds("a.state_change"))), \
            pg_catalog.array_to_string(pg_catalog.pg_blocking_pids(l.pid::int4), ' ') \
            FROM locks AS l LEFT JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid \
            WHERE NOT l.granted AND l.pid IN (SELECT pid FROM locks WHERE of_store) ORDER BY 4 NULLS LAST, 1
            """, queries.parameters)
        activity.waits = (0..<result.count).map { row in
            StoreActivity.LockWait(
                process: result.integer(row, 0), target: result.text(row, 1), mode: result.text(row, 2),
                since: result.date(row, 3), blockers: result.processes(row, 4))
        }
    }
}

extension StatementDetail {
    /// Returns what a report contains of a statement.
    func text(of statement: String) -> String? {
        switch self {
        case .none: nil
        case .withoutValues: LiteralMask(statement).text
        case .withValues: statement
        }
    }
}
#endif
