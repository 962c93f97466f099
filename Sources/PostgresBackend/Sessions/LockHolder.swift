#if Postgres
import ContextCore
import SQLStore

/// Another process of the server that has a lock which was waited for in vain, as far as the server tells.
struct LockHolder {
    /// What was waited for.
    enum Wait {
        /// The end of a migration that keeps writers out.
        case migration
        /// The end of all transactions that write.
        case writers
        /// Rows that others change or have locked.
        case rows
        /// Tables, which must not even be read meanwhile.
        case tables
    }

    private let process: Int64
    private let application: String
    private let user: String
    private let start: String
    private let others: Int64

    /// The process as a sentence, with what it calls itself, and since when; never with what it does.
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
    /// Asks the server who holds a lock, on a connection that waits for it no longer; nil where nobody is found.
    ///
    /// Of those who have locked rows it can't be told whose rows are meant, so one is named only where there is no other.
    init?(of wait: Wait, on connection: PostgresConnection) {
        guard connection.isAlive, !connection.hasFailedStatement else { return nil }
        var parameters = PostgresParameters()
        parameters.append(connection.configuration.schema)
        // A transaction that goes on must not fail by a question.
        let answer = try? connection.surviving { () throws(StoreError) in
            try connection.run(Self.query(wait), parameters, keepsPlan: false)
        }
        guard let answer, answer.count > 0 else { return nil }
        process = answer.integer(0, 0)
        application = Self.decent(answer.text(0, 1))
        user = Self.decent(answer.text(0, 2))
        start = answer.text(0, 3)
        others = answer.integer(0, 4) - 1
        if wait == .rows, others > 0 { return nil }
    }

    /// A process may call itself anything, which goes into a message.
    private static func decent(_ text: String) -> String {
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

    /// A query of the processes that hold locks of the store's tables.
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
    /// The error of a lock that was waited for in vain, with the process that holds it; any other error as it is.
    ///
    /// Whatever keeps the server from telling, the error stays.
    func namingHolder(
        of wait: LockHolder.Wait, on connection: PostgresConnection
    ) -> StoreError {
        // A commit waits for what isn't the store's.
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
