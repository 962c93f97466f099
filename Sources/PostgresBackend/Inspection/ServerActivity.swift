#if Postgres
import ContextCore
import SQLStore

/// Reads what concerns a store's server as a whole: connections, sizes, replicas, and the oldest transactions.
struct ServerActivity {
    let connection: PostgresConnection
    let queries: ActivityQueries

    func add(to activity: inout StoreActivity) throws(StoreError) {
        try addFacts(to: &activity)
        try addReplicas(to: &activity)
        try addObstacle(.vacuum, oldestSnapshots, PostgresParameters(), to: &activity)
        if queries.storeKey != nil {
            try addObstacle(.following, unfinishedSaves, queries.parameters, to: &activity)
        }
    }

    private func addFacts(to activity: inout StoreActivity) throws(StoreError) {
        let result = try connection.run(
            """
            SELECT pg_catalog.count(*)::int8, pg_catalog.current_setting('max_connections')::int8, \
            pg_catalog.pg_database_size(pg_catalog.current_database()) FROM pg_catalog.pg_stat_activity \
            WHERE backend_type = 'client backend' OR backend_type IS NULL AND usename IS NOT NULL
            """)
        activity.connections = StoreActivity.ConnectionUse(
            used: Int(result.integer(0, 0)), limit: Int(result.integer(0, 1)))
        activity.bytes = result.integer(0, 2)
    }

    private func addReplicas(to activity: inout StoreActivity) throws(StoreError) {
        let end = """
            CASE WHEN pg_catalog.pg_is_in_recovery() THEN pg_catalog.pg_last_wal_receive_lsn() \
            ELSE pg_catalog.pg_current_wal_lsn() END
            """
        let result = try connection.run(
            """
            SELECT coalesce(application_name, ''), pg_catalog.host(client_addr), state, sync_state, \
            pg_catalog.pg_wal_lsn_diff(\(end), flush_lsn)::int8, pg_catalog.pg_wal_lsn_diff(\(end), replay_lsn)::int8, \
            \(ActivityQueries.microseconds("replay_lag")) FROM pg_catalog.pg_stat_replication ORDER BY 1, pid
            """)
        let visible = (0..<result.count).filter { !result.isNull($0, 2) }
        if visible.count < result.count {
            activity.limits.append(
                "\(result.count - visible.count) replicas are hidden. To see them, grant this role the role pg_read_all_stats."
            )
        }
        activity.replicas = visible.map { row in
            var replica = StoreActivity.Replica(name: result.text(row, 0))
            replica.address = result.nonEmptyText(row, 1)
            replica.state = result.nonEmptyText(row, 2)
            replica.synchrony = result.nonEmptyText(row, 3)
            replica.missingBytes = result.integerIfPresent(row, 4).map { max(0, $0) }
            replica.unappliedBytes = result.integerIfPresent(row, 5).map { max(0, $0) }
            replica.lag = result.integerIfPresent(row, 6).map { .microseconds($0) }
            return replica
        }
    }

    /// The query of everything that needs old versions of rows, the oldest first.
    private var oldestSnapshots: String {
        """
        SELECT * FROM (SELECT 'session' AS kind, pid::int8 AS pid, application_name::text AS name, \
        \(ActivityQueries.microseconds("xact_start")) AS start, pg_catalog.age(backend_xmin)::int8 AS distance \
        FROM pg_catalog.pg_stat_activity WHERE backend_xmin IS NOT NULL AND backend_type = 'client backend' \
        AND pid <> pg_catalog.pg_backend_pid() AND datname = pg_catalog.current_database() \
        UNION ALL SELECT 'replica', pid::int8, application_name, NULL, pg_catalog.age(backend_xmin)::int8 \
        FROM pg_catalog.pg_stat_replication WHERE backend_xmin IS NOT NULL \
        UNION ALL SELECT 'replicationSlot', active_pid::int8, slot_name::text, NULL, pg_catalog.age(xmin)::int8 \
        FROM pg_catalog.pg_replication_slots WHERE xmin IS NOT NULL \
        UNION ALL SELECT 'preparedTransaction', NULL, gid, \(ActivityQueries.microseconds("prepared")), \
        pg_catalog.age(transaction)::int8 FROM pg_catalog.pg_prepared_xacts \
        WHERE database = pg_catalog.current_database()) AS old ORDER BY distance DESC, start LIMIT 1
        """
    }

    /// The query of the transactions that have drawn a number of the history and not committed, the oldest first.
    ///
    /// Followers read the saves only up to the first number that is missing. A transaction inserts its record shortly before its commit,
    /// so one that has done so for long waits for something, such as a replica or the second phase of a commit.
    private var unfinishedSaves: String {
        """
        WITH locks AS (\(queries.locks)), holders AS (SELECT pid, virtualtransaction FROM locks \
        WHERE granted AND relname = '\(StoreNames.history)' AND mode = 'RowExclusiveLock') \
        SELECT * FROM (SELECT 'session' AS kind, a.pid::int8 AS pid, a.application_name::text AS name, \
        \(ActivityQueries.microseconds("a.xact_start")) AS start, coalesce(pg_catalog.age(a.backend_xid), 0)::int8 AS distance \
        FROM holders AS h JOIN pg_catalog.pg_stat_activity AS a ON a.pid = h.pid \
        WHERE a.pid <> pg_catalog.pg_backend_pid() \
        UNION ALL SELECT 'preparedTransaction', NULL, x.gid, \(ActivityQueries.microseconds("x.prepared")), \
        pg_catalog.age(x.transaction)::int8 FROM holders AS h \
        JOIN locks AS l ON h.pid IS NULL AND l.pid IS NULL AND l.virtualtransaction = h.virtualtransaction \
        JOIN pg_catalog.pg_prepared_xacts AS x ON x.transaction = l.transactionid) AS old ORDER BY distance DESC, start LIMIT 1
        """
    }

    private func addObstacle(
        _ work: StoreActivity.Obstacle.Work, _ query: String, _ parameters: PostgresParameters,
        to activity: inout StoreActivity
    ) throws(StoreError) {
        let result = try connection.run(query, parameters)
        guard result.count > 0, let kind = StoreActivity.Obstacle.Kind(rawValue: result.text(0, 0)) else {
            return
        }
        activity.obstacles.append(
            StoreActivity.Obstacle(
                work, kind, process: result.integerIfPresent(0, 1), name: result.nonEmptyText(0, 2),
                since: result.date(0, 3), distance: result.integer(0, 4)))
    }
}
#endif
