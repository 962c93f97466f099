#if Postgres
/// The server process of a connection.
///
/// Process numbers are reused, so the application name of the connection identifies it too.
struct ServerProcess: Sendable, Hashable {
    let pid: Int32
    let name: String

    /// The condition that selects the process in `pg_stat_activity`.
    private var condition: String { "\"pid\" = \(pid) AND \"application_name\" = '\(name)'" }

    /// The query that returns 1 if the process works on a statement and 0 if not, or the start of its state in microseconds if it waits
    /// for its client.
    ///
    /// A process that has received only part of a pipeline is active, but waits for its client to send the rest. A process whose result
    /// the client doesn't read waits too. If the server doesn't track activities, the process counts as working.
    var workQuery: String {
        """
        SELECT coalesce(pg_catalog.max(CASE WHEN "wait_event_type" = 'Client' \
        THEN (extract(epoch FROM "state_change") * 1000000)::pg_catalog.int8 ELSE 1 END), 0) \
        FROM "pg_catalog"."pg_stat_activity" \
        WHERE \(condition) AND ("state" IN ('active', 'disabled') OR "state" IS NULL)
        """
    }

    /// The query that returns the number of bytes that a COPY of the process has read while it waits for more.
    var copiedBytesQuery: String {
        """
        SELECT "bytes_processed" FROM "pg_catalog"."pg_stat_progress_copy" JOIN "pg_catalog"."pg_stat_activity" USING ("pid") \
        WHERE \(condition) AND "wait_event_type" = 'Client'
        """
    }

    /// The query that cancels the process's statement.
    var cancellationQuery: String {
        """
        SELECT pg_catalog.count(pg_catalog.pg_cancel_backend("pid")) FROM "pg_catalog"."pg_stat_activity" WHERE \(condition)
        """
    }

    /// The query that cancels the process's statement only while it waits for a lock, so that it doesn't interrupt a commit.
    var lockWaitCancellationQuery: String { cancellationQuery + " AND \"wait_event_type\" = 'Lock'" }

    /// The query that returns 1 if the process exists, and 0 if not.
    var presenceQuery: String {
        "SELECT pg_catalog.count(*) FROM \"pg_catalog\".\"pg_stat_activity\" WHERE \(condition)"
    }

    /// The query that terminates the process unless it works on a statement, and returns 1 if the process still exists, 0 if not.
    ///
    /// A process that works may be committing, and ends without help. One that waits for its client or for a lock isn't committing.
    var terminationQuery: String {
        """
        SELECT pg_catalog.count(*) FILTER (WHERE CASE \
        WHEN "state" = 'active' AND "wait_event_type" IN ('Client', 'Lock') IS NOT TRUE THEN TRUE \
        ELSE NOT pg_catalog.pg_terminate_backend("pid") END) \
        FROM "pg_catalog"."pg_stat_activity" WHERE \(condition)
        """
    }

    /// Returns a unique application name for a connection.
    static func makeName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "ContextCore " + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
#endif
