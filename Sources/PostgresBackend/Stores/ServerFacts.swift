#if Postgres
import ContextCore

/// Facts about the server that opening a store reads with one statement.
///
/// The statement is separate from that of `OpeningMetadata`, since Citus can't read tables of other nodes together with a sequence.
struct ServerFacts {
    /// The last value of the history's sequence: 0 before the first, and the greatest number if the role may not use the sequence; nil if
    /// the sequence doesn't exist.
    let lastSequenceValue: Int64?
    /// Whether the server has Citus, which can distribute schemas to other nodes.
    let mayBeDistributed: Bool

    init(_ connection: PostgresConnection) throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.stored(PostgresNames.historySequence))
        let result = try connection.run(
            """
            SELECT CASE WHEN pg_catalog.to_regclass($1) IS NULL THEN NULL \
            WHEN NOT pg_catalog.has_sequence_privilege(pg_catalog.to_regclass($1), 'USAGE, SELECT') THEN \(Int64.max) \
            ELSE coalesce(pg_catalog.pg_sequence_last_value(pg_catalog.to_regclass($1)), 0) END, \
            pg_catalog.to_regclass('pg_catalog.pg_dist_schema') IS NOT NULL
            """, parameters, usesPreparedStatement: false)
        lastSequenceValue = result.isNull(0, 0) ? nil : result.integer(0, 0)
        mayBeDistributed = result.integer(0, 1) != 0
    }

    /// Returns whether the history's sequence is at or past its last record, and the gapless end of the history is recorded.
    ///
    /// A role that may not use the sequence can only read, so the result is true then.
    func hasCurrentSequence(for description: OpeningMetadata) -> Bool {
        guard description.recordsGaplessEnd, let lastSequenceValue else { return false }
        return lastSequenceValue >= description.lastNumber
    }
}
#endif
