#if Postgres
import ContextCore

/// What the server has beside a store's tables, read by one statement.
///
/// It is a statement of its own: an engine that keeps tables on other nodes can't read them together with a sequence.
struct ServerFacts {
    /// The last number that the sequence of the history has given: 0 before the first, and the greatest number where the role may not use the
    /// sequence; nil where there is none.
    let lastGivenNumber: Int64?
    /// Whether the server can distribute schemas to other nodes.
    let mayBeDistributed: Bool

    init(_ connection: PostgresConnection) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.stored(PostgresNames.historyNumbers))
        let answer = try connection.run(
            """
            SELECT CASE WHEN pg_catalog.to_regclass($1) IS NULL THEN NULL \
            WHEN NOT pg_catalog.has_sequence_privilege(pg_catalog.to_regclass($1), 'USAGE, SELECT') THEN \(Int64.max) \
            ELSE coalesce(pg_catalog.pg_sequence_last_value(pg_catalog.to_regclass($1)), 0) END, \
            pg_catalog.to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL
            """, parameters, keepsPlan: false)
        lastGivenNumber = answer.isNull(0, 0) ? nil : answer.integer(0, 0)
        mayBeDistributed = answer.integer(0, 1) != 0
    }

    /// Whether the sequence of the history gives numbers beyond those that the history has, and its settled end is noted.
    ///
    /// A role that may not use the sequence only reads, and needs no more.
    func numbers(beyond description: StoreDescription) -> Bool {
        guard description.isSettled, let lastGivenNumber else { return false }
        return lastGivenNumber >= description.lastNumber
    }
}
#endif
