#if Postgres
import ContextCore

/// Rebuilds the indexes of a table concurrently.
///
/// The server waits for all earlier transactions of the database, so the statement can time out. Then an invalid index can remain,
/// which every write still updates.
struct IndexRebuild {
    let connection: PostgresConnection
    /// The quoted and qualified name of the table.
    let table: String

    /// Rebuilds the indexes, after removing invalid ones of earlier attempts.
    func perform() throws(StoreError) {
        try dropInvalidIndexes()
        do throws(StoreError) {
            try connection.execute("REINDEX TABLE CONCURRENTLY \(table)")
        } catch {
            if (try? dropInvalidIndexes()) != nil { throw error }
            throw StoreError(
                error.code,
                error.message + " An unfinished index remains, which slows down saves.",
                remedy:
                    "\(error.remedy ?? "Try again.") The next 'storectl maintain reindex' removes the index.",
                detail: error.detail, cause: error)
        }
    }

    /// Drops the invalid indexes of the table and its TOAST table that an earlier attempt has left.
    ///
    /// The server names them with these suffixes. If readers block it, a later attempt drops them.
    private func dropInvalidIndexes() throws(StoreError) {
        var parameters = PostgresParameters()
        parameters.append(table)
        let unfinished = try connection.run(
            """
            SELECT format('%I.%I', n.nspname, i.relname) FROM pg_class AS t \
            JOIN pg_index AS x ON x.indrelid IN (t.oid, t.reltoastrelid) \
            JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_namespace AS n ON n.oid = i.relnamespace \
            WHERE t.oid = pg_catalog.to_regclass($1) AND NOT x.indisvalid AND i.relname ~ '_cc(new|old)[0-9]*$'
            """, parameters)
        for row in 0..<unfinished.count {
            try connection.execute("DROP INDEX CONCURRENTLY IF EXISTS \(unfinished.text(row, 0))")
        }
    }
}
#endif
