#if Postgres
import ContextCore
import SQLStore

/// A server process that probably holds the lock on which a statement timed out.
struct LockHolder {
    /// The kind of lock that the statement waited for.
    enum Wait {
        /// The lock of a migration, which blocks writers.
        case migration
        /// The locks of all writing transactions.
        case writers
        /// The locks of rows that other transactions have changed or locked.
        case rows
        /// An exclusive lock of tables, which also waits for readers.
        case tables
    }

    private let process: Int64
    private let application: String
    private let user: String
    private let start: String
    private let others: Int64

    /// A sentence about the process with its application name, user and the start of its transaction, but not its query.
    ///
    /// Example: `The lock is held by server process 4711 (psql) of user app, in a transaction since 2026-11-27 09:00:00 UTC.`
    var sentence: String {
        let name = application.isEmpty ? "" : " (\(application))"
        let owner = user.isEmpty ? "" : " of user \(user)"
        let time = start.isEmpty ? "" : ", in a transaction since \(start) UTC"
        let rest = others > 0 ? ", and by \(others) more" : ""
        return "The lock is held by server process \(process)\(name)\(owner)\(time)\(rest)."
    }
}

extension LockHolder {
    /// Finds the process that holds a lock, with a connection that no longer waits for it; nil if none is found.
    ///
    /// The server doesn't report which rows a process has locked, so for row locks the result is nil if several processes hold some.
    init?(of wait: Wait, on connection: PostgresConnection) {
        guard connection.isAlive, !connection.hasFailedStatement else { return nil }
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.schema)
        // The query must not make an open transaction fail.
        let result = try? connection.withRollbackOnFailure { () throws(StoreError) in
            try connection.run(Self.query(wait), parameters, usesPreparedStatement: false)
        }
        guard let result, result.count > 0 else { return nil }
        process = result.integer(0, 0)
        application = Self.withoutControlCharacters(result.text(0, 1))
        user = Self.withoutControlCharacters(result.text(0, 2))
        start = result.text(0, 3)
        others = result.integer(0, 4) - 1
        if wait == .rows, others > 0 { return nil }
    }

    /// Removes control characters from a name that goes into a message, since a process can choose any name.
    private static func withoutControlCharacters(_ text: String) -> String {
        let letters = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        return String(String.UnicodeScalarView(letters))
    }

    private static func query(_ wait: Wait) -> String {
        """
        SELECT a.pid::int8, coalesce(a.application_name, ''), coalesce(a.usename::text, ''), \
        coalesce(pg_catalog.to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'), ''), \
        pg_catalog.count(*) OVER () \
        FROM (\(processes(wait))) AS h JOIN pg_catalog.pg_stat_activity AS a ON a.pid = h.pid \
        WHERE a.pid <> pg_catalog.pg_backend_pid() ORDER BY a.xact_start LIMIT 1
        """
    }

    /// Returns the query of the processes that hold locks of the store's tables.
    private static func processes(_ wait: Wait) -> String {
        let modes =
            switch wait {
            case .migration: "mode IN ('ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')"
            case .writers: "mode NOT IN ('AccessShareLock', 'RowShareLock')"
            case .rows: "mode <> 'AccessShareLock'"
            case .tables: "true"
            }
        return """
            SELECT DISTINCT pid FROM pg_catalog.pg_locks WHERE granted AND locktype = 'relation' AND \(modes) \
            AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) \
            AND relation IN (SELECT c.oid FROM pg_catalog.pg_class AS c \
            JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p'))
            """
    }
}

extension StoreError {
    /// Returns the error, with the name of the lock's holder if it is a lock timeout and the holder is found.
    func addingLockHolder(
        of wait: LockHolder.Wait, on connection: PostgresConnection
    ) -> StoreError {
        // A commit waits for locks outside of the store's tables.
        let isOfCommit = detail?.hasSuffix("; statement: COMMIT") == true
        guard isLockTimeout, !isOfCommit, let holder = LockHolder(of: wait, on: connection) else {
            return self
        }
        return StoreError(
            code, "\(message) \(holder.sentence)", remedy: remedy, conflicts: conflicts, failures: failures,
            detail: detail, cause: cause)
    }
}
#endif
