#if Postgres
/// The process of the server that serves one connection.
///
/// A number alone could be another process's by now, so it goes with the name that the connection gave itself.
struct ServerProcess: Sendable, Hashable {
    let number: Int32
    let name: String

    /// Selects the process where it still is.
    private var condition: String { "\"pid\" = \(number) AND \"application_name\" = '\(name)'" }

    /// Answers whether the process works on a statement, one or none; or when it began with that, in microseconds, where it waits for its
    /// client.
    ///
    /// A process that has received only part of a pipeline calls itself active, but waits for its client to send the rest. One whose answer
    /// isn't taken waits for its client too. A server that doesn't say what its processes do is believed to work.
    var work: String {
        """
        SELECT coalesce(pg_catalog.max(CASE WHEN "wait_event_type" = 'Client' \
        THEN (extract(epoch FROM "state_change") * 1000000)::pg_catalog.int8 ELSE 1 END), 0) \
        FROM "pg_catalog"."pg_stat_activity" \
        WHERE \(condition) AND ("state" IN ('active', 'disabled') OR "state" IS NULL)
        """
    }

    /// Answers how many bytes of rows the process has read, where it waits for more.
    var copiedBytes: String {
        """
        SELECT "bytes_processed" FROM "pg_catalog"."pg_stat_progress_copy" JOIN "pg_catalog"."pg_stat_activity" USING ("pid") \
        WHERE \(condition) AND "wait_event_type" = 'Client'
        """
    }

    /// Cancels the process's statement.
    var cancellation: String {
        """
        SELECT pg_catalog.count(pg_catalog.pg_cancel_backend("pid")) FROM "pg_catalog"."pg_stat_activity" WHERE \(condition)
        """
    }

    /// Cancels the process's statement if it waits for a lock, and for nothing else: what has been told to commit is left alone.
    var cancellationOfWait: String { cancellation + " AND \"wait_event_type\" = 'Lock'" }

    /// Answers how many such processes there are: one, or none.
    var presence: String {
        "SELECT pg_catalog.count(*) FROM \"pg_catalog\".\"pg_stat_activity\" WHERE \(condition)"
    }

    /// Ends the process, unless it works on a statement: then it has been told something, and comes to its own end.
    ///
    /// One that waits for what the connection still has to send doesn't; one that waits for another's lock has not committed what it works
    /// on, and might wait for longer than anybody asks. Answers how many there still are: one, or none.
    var termination: String {
        """
        SELECT pg_catalog.count(*) FILTER (WHERE CASE \
        WHEN "state" = 'active' AND "wait_event_type" IN ('Client', 'Lock') IS NOT TRUE THEN TRUE \
        ELSE NOT pg_catalog.pg_terminate_backend("pid") END) \
        FROM "pg_catalog"."pg_stat_activity" WHERE \(condition)
        """
    }

    /// A name for a connection that no other connection has.
    static func freshName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "ContextCore " + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
#endif
