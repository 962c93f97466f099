#if Postgres
import ContextCore

/// Makes the indexes of a table anew while others work with it.
///
/// The server waits for every transaction of the database that began before, so it may give up where one stays open. It
/// then leaves a half-made index behind, which every write has to keep and which it never takes up again.
struct Reindexing {
    let connection: PostgresConnection
    /// The table's name as SQL says it, with its schema.
    let table: String

    /// Makes them anew; what another try has left behind goes first.
    func perform() throws(StoreError) {
        try removeUnfinished()
        do throws(StoreError) {
            try connection.execute("REINDEX TABLE CONCURRENTLY \(table)")
        } catch {
            if (try? removeUnfinished()) != nil { throw error }
            throw StoreError(
                error.code, error.message,
                remedy: """
                    \(error.remedy ?? "Try again.") A half-made index is left, which each save has to keep: the next reindex removes it.
                    """, detail: error.detail, cause: error)
        }
    }

    /// Removes the indexes that the server began and never finished, of the table and of its long values.
    ///
    /// The server calls them by these endings. A table whose readers stay is left for the next time.
    private func removeUnfinished() throws(StoreError) {
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
