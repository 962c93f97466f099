#if Postgres
import ContextCore

extension StoreError {
    /// Returns the error for an SQLSTATE, with the message and remedy from the table below.
    ///
    /// It looks up the whole state first, then its class, which is the first two characters.
    static func postgresError(state: String?, detail words: String, statement: String? = nil) -> StoreError {
        let state = state ?? ""
        let entry =
            entry(state, words) ?? table[state] ?? table[String(state.prefix(2))]
            ?? unexpectedRejection(state)
        var detail = state.isEmpty ? words : "SQLSTATE \(state): \(words)"
        if let statement { detail += "; statement: \(statement)" }
        return StoreError(entry.code, entry.message, remedy: entry.remedy, detail: detail)
    }

    /// Returns the error of a connection that was lost.
    static func lostConnectionError(_ words: String) -> StoreError {
        StoreError(
            .connectionLost, "The connection to the database server was lost.",
            remedy: "Try again; an unfinished save was rolled back.", detail: words)
    }

    /// Returns the error of a schema without a store.
    static func missingStoreError(schema: String) -> StoreError {
        StoreError(
            .notAStore, "The schema \(schema) of the database contains no store.",
            remedy:
                "Correct the database or the schema in the URL. 'storectl model import' creates a model of another program's tables."
        )
    }

    /// Returns the error of a date that is too early for PostgreSQL.
    ///
    /// - Parameter owner: The origin of the date, for example `Game.startedAt`.
    static func dateTooEarlyError(_ owner: String) -> StoreError {
        StoreError(
            .unsupportedRequest, "\(owner) is earlier than the earliest date that PostgreSQL stores.",
            remedy: "Use a date after the year 4714 BC.")
    }

    /// Returns the error of a statement that the server cancelled because of `statement_timeout`.
    static func statementTimeoutError(statement: String) -> StoreError {
        StoreError(
            .timeout, "A statement exceeded the statement timeout.",
            remedy: "Fetch less at once, add an index, or raise statement_timeout in the store's URL.",
            detail: "SQLSTATE 57014; statement: \(statement)")
    }

    /// Returns the error of a store that was removed, or replaced by another one, while the program had it open.
    static func replacedStoreError(detail: String?) -> StoreError {
        StoreError(
            .storeMoved, "The store was replaced or removed while it was open; nothing was saved.",
            remedy: "Close the store and open it again: a backup may have been restored.", detail: detail)
    }

    /// Whether the statement refers to a table or schema that doesn't exist.
    var isMissingTable: Bool {
        detail.map { $0.hasPrefix("SQLSTATE 42P01") || $0.hasPrefix("SQLSTATE 3F000") } ?? false
    }

    /// Whether the server timed out waiting for a lock; the code `busy` has other causes too.
    var isLockTimeout: Bool { detail?.hasPrefix("SQLSTATE 55P03") ?? false }

    /// Returns the error of a commit that timed out waiting for a lock of a transaction outside of the store.
    static func commitLockTimeoutError(_ error: StoreError) -> StoreError {
        StoreError(
            .busy, "A commit timed out waiting for a lock that another transaction holds; nothing was saved.",
            remedy:
                "Save again. If commits of other programs with NOTIFY hang on this server, set notify=off in the store's URL.",
            detail: error.detail, cause: error)
    }

    private struct Entry: Sendable {
        let code: Code
        let message: String
        let remedy: String

        init(_ code: Code, _ message: String, _ remedy: String) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }

    /// Returns the error of an SQLSTATE that no statement of the library should cause; the message names it for a report of the bug.
    private static func unexpectedRejection(_ state: String) -> Entry {
        let message =
            state.isEmpty
            ? "PostgreSQL rejected a statement." : "PostgreSQL rejected a statement with SQLSTATE \(state)."
        return Entry(.database, message, "This is a bug in the library: please report it.")
    }

    /// Returns the error of an SQLSTATE that only the server's message distinguishes from others; nil if the message is in another language.
    private static func entry(_ state: String, _ words: String) -> Entry? {
        switch state {
        case "42501" where words.contains("query would be affected by row-level security"): hiddenRows
        case "54000" where words.hasPrefix("row is too big"): largeRow
        default: nil
        }
    }

    private static let largeRow = Entry(
        .unsupportedRequest,
        "An object has too many values for a row on PostgreSQL: numbers, dates, UUIDs, references and short texts may have 8,160 bytes.",
        "Move some of its attributes to another entity that it refers to.")

    private static let hiddenRows = Entry(
        .accessDenied,
        "Row security hides rows of the store from the database role, and this operation needs all of them.",
        "Log in as the owner of the tables or as a role with BYPASSRLS. If the tables force row security, the owner needs it too."
    )

    private static let lost = Entry(
        .connectionLost, "The connection to the database server was lost.",
        "Try again; an unfinished save was rolled back.")

    /// The error of each SQLSTATE or class (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    private static let table: [String: Entry] = [
        "08": lost, "57P01": lost, "57P02": lost,
        "57P03": Entry(
            .connectionLost, "The database server is starting up or shutting down.",
            "Try again in a few seconds."),
        "57P05": Entry(
            .connectionLost, "The database server has closed an idle connection.",
            "Try again; an unfinished save was rolled back."),
        "25P03": Entry(
            .connectionLost, "The database server has ended a transaction that was idle for too long.",
            "Do less between the statements of a block, or raise idle_in_transaction_session_timeout in the store's URL."
        ),
        "23505": Entry(
            .duplicate, "Two rows have the same values in a unique constraint.",
            "Change the values of one object, or fetch the objects again."),
        "23503": Entry(
            .missingReference,
            "A row refers to a row that doesn't exist, or rows still refer to a deleted row.",
            "Fetch the objects again, and repeat the changes."),
        "23": Entry(
            .conflict, "A constraint of the store was violated.",
            "Fetch the objects again, and repeat the changes."),
        "40001": Entry(
            .contention, "Another transaction has changed data that this one relied on; nothing was saved.",
            "Save again. In a store.write block, raise `retries:`, or give conflicting writes the same `lane:`."
        ),
        "40P01": Entry(
            .contention, "Two transactions waited for each other's locks; nothing of this one was saved.",
            "Save again. In a store.write block, raise `retries:`, or give conflicting writes the same `lane:`."
        ),
        "40": Entry(
            .contention, "The transaction conflicted with another one; nothing of this one was saved.",
            "Save again. In a store.write block, raise `retries:`, or give conflicting writes the same `lane:`."
        ),
        "55P03": Entry(
            .busy, "The wait for rows or tables that another connection has locked exceeded the timeout.",
            "Try again, or raise timeout in the store's URL."),
        "57014": Entry(
            .cancelled, "The operation was cancelled; nothing of it was saved.",
            "Start it again if it is still needed."),
        "53100": Entry(
            .diskFull, "The server's disk is full.",
            "Free some space and save again. Committed data is safe."),
        "53": Entry(
            .busy, "The server has too many connections, or lacks another resource.", "Try again later."),
        "58": Entry(
            .inputOutput, "The server couldn't read or write a file.",
            "Check the server's disk and its log, then try again."),
        "25006": Entry(
            .readOnly, "The server is read-only.", "Connect to the primary server, not to a standby."),
        "42501": Entry(
            .readOnly, "The database role lacks a privilege.",
            "Grant the role the missing privilege on the store's schema, tables and sequences."
        ),
        "28": Entry(
            .accessDenied, "The database server rejected the login.",
            "Check the user, the password and the server's pg_hba.conf."),
        "3D000": Entry(
            .configuration, "The database doesn't exist on the server.",
            "Correct the URL, or create the database, for example with 'storectl db create'."),
        "3F000": Entry(
            .configuration, "The schema doesn't exist in the database.",
            "Correct the schema in the URL, or create it."),
        "22003": Entry(
            .unsupportedRequest, "A number is too large for the type of its column.",
            "Use a smaller number, or change the attribute to a larger type."),
        "22008": Entry(
            .unsupportedRequest, "A date is earlier than the earliest date that PostgreSQL stores.",
            "Use a date after the year 4714 BC."),
        "54000": Entry(
            .unsupportedRequest, "A value is too large for the index, JSON document or row that stores it.",
            """
            Shorten it: an index stores at most 2,600 bytes of text and data of a row, JSON 268,435,455 bytes, and a row 1 GB, \
            of which numbers, dates and other short values may have 8,160 bytes.
            """),
        "54011": Entry(
            .unsupportedRequest, "An entity has more columns than PostgreSQL allows in a table, 1,600.",
            "Move some of the attributes of its inheritance tree to another entity that it refers to."),
        "54001": Entry(
            .unsupportedRequest, "A statement is too complex for the server.",
            "Use a simpler predicate, or raise the server's max_stack_depth."),
        "54": Entry(
            .unsupportedRequest, "A statement exceeds a limit of the server.",
            "Fetch or save less at once, or give the entity fewer properties."),
        "XX001": Entry(.corrupt, "The server's data is damaged.", "Restore the store from a backup."),
        "XX002": Entry(.corrupt, "An index of the server is damaged.", "Rebuild it with REINDEX."),
    ]
}
#endif
