#if Postgres
import ContextCore

extension StoreError {
    /// Makes the error of an SQLSTATE, in the words of the table below.
    ///
    /// The whole state is looked up first, then its class, the first two characters.
    static func postgres(state: String?, detail words: String, statement: String? = nil) -> StoreError {
        let state = state ?? ""
        let entry = table[state] ?? table[String(state.prefix(2))] ?? unknown
        var detail = state.isEmpty ? words : "SQLSTATE \(state): \(words)"
        if let statement { detail += "; statement: \(statement)" }
        return StoreError(entry.code, entry.message, remedy: entry.remedy, detail: detail)
    }

    /// The server could not be reached, or was lost.
    static func lostConnection(_ words: String) -> StoreError {
        StoreError(
            .connectionLost, "The connection to the database server was lost.",
            remedy: "Try again; nothing of an unfinished save was kept.", detail: words)
    }

    /// A moment that the server has no way to keep.
    ///
    /// - Parameter owner: Whose moment it is, for example `Game.startedAt`.
    static func beforeCalendar(_ owner: String) -> StoreError {
        StoreError(
            .unsupportedRequest, "\(owner) lies before the beginning of the server's calendar.",
            remedy: "PostgreSQL knows no moment before the year 4714 before Christ.")
    }

    /// A statement was ended because it took longer than the configuration says.
    static func late(statement: String) -> StoreError {
        StoreError(
            .timeout, "A statement took longer than it may.",
            remedy: "Ask for less, add an index, or give a longer statement_timeout in the store's URL.",
            detail: "SQLSTATE 57014; statement: \(statement)")
    }

    /// Another store has taken the place of the one that the program has open, or the schema holds none any more.
    static func replacedStore(detail: String?) -> StoreError {
        StoreError(
            .storeMoved, "The store was replaced or removed while it was open; nothing was saved.",
            remedy: "Close the store and open it again: a backup may have been restored.", detail: detail)
    }

    /// Whether a statement names a table or a schema that isn't there.
    var isOfMissingTable: Bool {
        detail.map { $0.hasPrefix("SQLSTATE 42P01") || $0.hasPrefix("SQLSTATE 3F000") } ?? false
    }

    /// Whether a lock was waited for in vain; the code `busy` stands for other wants too.
    var isLockTimeout: Bool { detail?.hasPrefix("SQLSTATE 55P03") ?? false }

    /// A commit that had to wait for somebody else for too long, though nobody else has the store.
    static func lateCommit(_ error: StoreError) -> StoreError {
        StoreError(
            .busy, "A commit waited too long for a lock that somebody else had; nothing was saved.",
            remedy:
                "Save again. Where other programs of the server NOTIFY and their commits hang, give notify=off in the store's URL.",
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

    private static let unknown = Entry(
        .database, "PostgreSQL refused a statement.", "This is a fault of the library: please report it.")

    private static let lost = Entry(
        .connectionLost, "The connection to the database server was lost.",
        "Try again; nothing of an unfinished save was kept.")

    /// The meaning of each state (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    private static let table: [String: Entry] = [
        "08": lost, "57P01": lost, "57P02": lost,
        "57P03": Entry(
            .connectionLost, "The database server is just starting or stopping.", "Try again in a moment."),
        "57P05": Entry(
            .connectionLost, "The database server has ended a connection that was idle.",
            "Try again; nothing of an unfinished save was kept."),
        "25P03": Entry(
            .connectionLost, "The database server has ended a transaction that was idle for too long.",
            "Do less between the statements of a block, or give a longer idle_in_transaction_session_timeout in the store's URL."
        ),
        "23505": Entry(
            .duplicate, "Two rows have the same values of a unique constraint.",
            "Change one of them, or fetch the objects anew."),
        "23503": Entry(
            .missingReference,
            "A row that is referred to is not there, or rows still refer to one that is deleted.",
            "Fetch the objects anew."),
        "23": Entry(.conflict, "A constraint of the store was broken.", "Fetch the objects anew."),
        "40001": Entry(
            .contention, "Another transaction has changed what this one relied on; nothing of it was saved.",
            "Do the same again. A block can be given more retries, or a lane."),
        "40P01": Entry(
            .contention, "Two transactions waited for each other; nothing of this one was saved.",
            "Do the same again. A block can be given more retries, or a lane."),
        "40": Entry(
            .contention, "Another transaction got in the way; nothing of this one was saved.",
            "Do the same again. A block can be given more retries, or a lane."),
        "55P03": Entry(
            .busy, "Rows or tables that another connection has locked were waited for in vain.",
            "Try again, or give a longer timeout in the store's URL."),
        "57014": Entry(
            .cancelled, "The operation was cancelled.",
            "Nothing of it was saved; begin it again if it is still wanted."),
        "53100": Entry(
            .diskFull, "There is no room left on the server's disk.",
            "Free some space and save again; what was committed is safe."),
        "53": Entry(.busy, "The server has no room for another connection.", "Try again later."),
        "58": Entry(
            .inputOutput, "The server couldn't read or write.", "Look after the server, then try again."),
        "25006": Entry(
            .readOnly, "The server takes no saves.", "Connect to the primary server, not to a standby."),
        "42501": Entry(
            .readOnly, "The database doesn't allow it.", "Grant the role what it needs in the store's schema."
        ),
        "28": Entry(
            .accessDenied, "The database server doesn't let the user in.",
            "Check the user, the password and the server's pg_hba.conf."),
        "3D000": Entry(
            .configuration, "There is no such database on the server.", "Correct the URL, or create it."),
        "3F000": Entry(
            .configuration, "There is no such schema in the database.", "Correct the setting, or create it."),
        "22003": Entry(.unsupportedRequest, "A number is too large for its type.", "Use a larger type."),
        "22008": Entry(
            .unsupportedRequest, "A moment lies before the beginning of the server's calendar.",
            "PostgreSQL knows no moment before the year 4714 before Christ."),
        "54000": Entry(
            .unsupportedRequest, "A value is larger than the server takes where it is kept.",
            "Shorten it: an index keeps at most 2,600 bytes of text and data of a row, JSON 268,435,455 bytes, and a row 1 GB."
        ),
        "54001": Entry(
            .unsupportedRequest, "A statement is too complex for the server.",
            "Ask for less in one predicate, or raise the server's max_stack_depth."),
        "54": Entry(
            .unsupportedRequest, "A statement goes beyond a limit of the server.",
            "Ask for less at once, or give an entity fewer properties."),
        "XX001": Entry(.corrupt, "The server's data is damaged.", "Restore a backup."),
        "XX002": Entry(.corrupt, "An index of the server is damaged.", "Rebuild the index."),
    ]
}
#endif
