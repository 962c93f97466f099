#if Postgres
import ContextCore
import Foundation
import SQLStore

/// Checks whether a gap in the numbers of a store's history keeps its readers waiting, and finds the process that causes it.
struct HistoryExamination {
    let connection: PostgresConnection

    private var configuration: PostgresConfiguration { connection.configuration }

    func examine() throws(StoreError) -> StoreExamination {
        guard let gap = try firstMissing() else {
            return StoreExamination("history", "no number is missing")
        }
        // The number of a transaction is missing while it commits.
        Thread.sleep(forTimeInterval: 0.5)
        guard try firstMissing() == gap else {
            return StoreExamination("history", "no number is missing for long")
        }
        guard let (process, seconds) = try oldestCommit() else {
            return StoreExamination(
                "history", "Number \(gap) is missing, and readers of the history wait for it.",
                remedy:
                    "A program that can write to the store fills the gap when it next reads or saves.")
        }
        return StoreExamination(
            "history",
            "Number \(gap) is missing, and readers of the history wait for it. Server process \(process) has been committing for \(seconds) seconds.",
            remedy: "If it doesn't finish, end it with SELECT pg_terminate_backend(\(process)).")
    }

    /// Returns the first number without a record before the last record.
    private func firstMissing() throws(StoreError) -> Int64? {
        let (history, metadata) = (
            configuration.stored(StoreNames.history), configuration.stored(StoreNames.metadata)
        )
        return try connection.integer(
            """
            SELECT base + place FROM (SELECT base, "sequence", pg_catalog.row_number() OVER (ORDER BY "sequence") AS place \
            FROM \(history), (SELECT coalesce(max("value"::int8), 0) AS base FROM \(metadata) \
            WHERE "name" IN ('\(StoreCatalog.prunedHistory)', '\(PostgresNames.gaplessHistoryEnd)')) AS notes WHERE "sequence" > base) AS lines \
            WHERE "sequence" <> base + place ORDER BY "sequence" LIMIT 1
            """)
    }

    /// Returns the process that has been inserting a history record or committing for the longest time, and for how many seconds.
    private func oldestCommit() throws(StoreError) -> (Int64, Int64)? {
        var parameters = PostgresParameters()
        parameters.append(configuration.stored(StoreNames.history))
        parameters.append("INSERT INTO \(configuration.stored(StoreNames.history)) ")
        let found = try connection.run(
            """
            SELECT a.pid::int8, extract(epoch FROM pg_catalog.clock_timestamp() - a.query_start)::int8 \
            FROM pg_catalog.pg_locks AS l JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid \
            WHERE l.locktype = 'relation' AND l.granted AND l.mode = 'RowExclusiveLock' \
            AND l.relation = pg_catalog.to_regclass($1) AND l.database = \
            (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) \
            AND a.pid <> pg_catalog.pg_backend_pid() AND a.state = 'active' \
            AND (a.query = 'COMMIT' OR pg_catalog.starts_with(a.query, $2)) ORDER BY a.query_start LIMIT 1
            """, parameters)
        return found.count == 0 ? nil : (found.integer(0, 0), found.integer(0, 1))
    }
}
#endif
