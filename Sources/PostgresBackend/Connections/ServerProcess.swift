#if Postgres
/// The process of the server that serves one connection.
///
/// A number alone could be another process's by now, so it goes with the name that the connection gave itself.
struct ServerProcess: Sendable, Hashable {
    let number: Int32
    let name: String

    /// Selects the process where it still is.
    private var condition: String { "\"pid\" = \(number) AND \"application_name\" = '\(name)'" }

    /// Whether a process that has a statement doesn't wait for the connection, as it does while rows flow.
    private var isBusy: String { "\"wait_event_type\" IS DISTINCT FROM 'Client'" }

    /// Answers how many such processes work on a statement: one, or none.
    ///
    /// A server that doesn't say what its processes do is believed to work. One that waits for what the connection still has to send, or
    /// to read, does not.
    var workCount: String {
        """
        SELECT pg_catalog.count(*) FROM "pg_catalog"."pg_stat_activity" \
        WHERE \(condition) AND ("state" = 'active' AND \(isBusy) OR "state" = 'disabled' OR "state" IS NULL)
        """
    }

    /// Cancels the process's statement.
    var cancellation: String {
        """
        SELECT pg_catalog.count(pg_catalog.pg_cancel_backend("pid")) FROM "pg_catalog"."pg_stat_activity" WHERE \(condition)
        """
    }

    /// Ends the process, unless it works on a statement: then it has been told something, and comes to its own end.
    ///
    /// Answers how many there still are: one, or none.
    var termination: String {
        """
        SELECT pg_catalog.count(*) FILTER (WHERE CASE WHEN "state" = 'active' AND \(isBusy) THEN TRUE \
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
