#if SQLite
import CSQLite
import ContextCore

extension StoreError {
    /// Returns the error for a result code, from the table below.
    ///
    /// It looks up the extended code first, then the primary code in its low byte.
    static func sqlite(_ result: Int32, detail words: String, statement: String? = nil) -> StoreError {
        let isTooWide = result == SQLITE_ERROR && words.hasPrefix("too many columns on ")
        let entry = isTooWide ? tooManyColumns : table[result] ?? table[result & 0xFF] ?? unknown
        var detail = "SQLite \(result): \(words)"
        if let statement { detail += "; statement: \(statement)" }
        return StoreError(entry.code, entry.message, remedy: entry.remedy, detail: detail)
    }

    /// Whether a retry may succeed.
    static func isBusy(_ result: Int32) -> Bool {
        result & 0xFF == SQLITE_BUSY || result & 0xFF == SQLITE_LOCKED
    }

    /// Whether the operating system failed, so that the outcome of a commit is unknown.
    static func isInputOutput(_ result: Int32) -> Bool {
        result & 0xFF == SQLITE_IOERR
    }

    private struct Entry: Sendable {
        let code: Code
        let message: String
        let remedy: String?

        init(_ code: Code, _ message: String, _ remedy: String? = nil) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }

    private static let needsWriter = Entry(
        .readOnly, "The store was not closed properly, and recovering it requires write access.",
        "Open it once with mode=rw, from an account that may write the file and its folder.")

    private static let tooManyColumns = Entry(
        .unsupportedRequest, "An entity has more columns than SQLite allows in a table, 2,000.",
        "Move some of the attributes of its inheritance tree to another entity that it refers to.")

    private static let unknown = Entry(
        .database, "SQLite rejected a statement.", "This is a bug in the library. Please report it.")

    /// The meaning of each result code (https://www.sqlite.org/rescode.html).
    private static let table: [Int32: Entry] = [
        SQLITE_BUSY: Entry(
            .busy, "Another connection or process held the store's lock for too long.",
            "Try again, or set a longer busy_timeout in the store's URL."),
        SQLITE_LOCKED: Entry(
            .busy, "Another connection of this process held a table lock for too long.", "Try again."),
        SQLITE_FULL: Entry(
            .diskFull, "The store's disk is full.",
            "Free some space and save again. Committed changes are safe."),
        SQLITE_IOERR: Entry(
            .inputOutput, "The operating system couldn't read or write the store's file.",
            "Check the disk, then try again."),
        SQLITE_NOMEM: Entry(.inputOutput, "There is not enough memory.", "Free some memory and try again."),
        ioErrorNoMemory: Entry(
            .inputOutput, "There is not enough memory.", "Free some memory and try again."),
        SQLITE_READONLY: Entry(
            .readOnly, "The store can't be written.",
            "Check the permissions of the file and of its folder, or open it with mode=ro."),
        readOnlyMoved: Entry(
            .storeMoved, "The store's file was moved, replaced or deleted while it was open.",
            "Put it back, or close the store and open it again."),
        SQLITE_READONLY | (6 << 8): Entry(
            .readOnly,
            "The store's folder is not writable, so SQLite can't create a journal.",
            "Check the folder's permissions, or open the store with mode=ro."),
        SQLITE_READONLY | (1 << 8): needsWriter,
        SQLITE_READONLY | (2 << 8): needsWriter,
        SQLITE_READONLY | (5 << 8): needsWriter,
        SQLITE_READONLY | (3 << 8): needsWriter,
        SQLITE_CANTOPEN | (5 << 8): needsWriter,
        SQLITE_CANTOPEN | (2 << 8): Entry(
            .notAStore, "The store's path names a folder.", "Give the path of a file."),
        SQLITE_CANTOPEN: Entry(
            .inputOutput, "The store's file can't be opened.",
            "Check that the folder exists and that its permissions allow it."),
        cantOpenSymbolicLink: Entry(
            .notAStore, "The store's path names a symbolic link.", "Give the path of the file itself."),
        SQLITE_PERM: Entry(
            .readOnly, "The permissions of the store's file don't allow the operation.",
            "Check the permissions of the file and of its folder."),
        SQLITE_AUTH: Entry(
            .database, "SQLite was not authorized to run a statement.",
            "This is a bug in the library. Please report it."),
        SQLITE_CORRUPT: Entry(
            .corrupt, "The store's file is damaged.",
            "Restore a backup, or copy the readable rows into a new store with 'storectl maintain recover'."),
        SQLITE_NOTADB: Entry(
            .notADatabase, "The file is not a SQLite database.", "Check the path. The file was not changed."),
        SQLITE_TOOBIG: Entry(
            .unsupportedRequest, "A value is larger than SQLite allows.",
            "Store large data in separate files."),
        SQLITE_CONSTRAINT: Entry(
            .conflict, "A constraint of the store was violated.", "Fetch the objects again."),
        SQLITE_CONSTRAINT | (8 << 8): Entry(
            .duplicate, "Two rows have the same values of a unique constraint.",
            "Change the values of one of them."),
        SQLITE_CONSTRAINT | (6 << 8): Entry(
            .duplicate, "Two rows have the same key.", "Insert the object with another key."),
        SQLITE_CONSTRAINT | (3 << 8): Entry(
            .missingReference,
            "A reference refers to a missing row, or rows still refer to a deleted row.",
            "Fetch the objects again, and change or clear the reference."),
        SQLITE_INTERRUPT: Entry(
            .cancelled, "The operation was cancelled.", "Run it again if it is still needed."),
        SQLITE_SCHEMA: Entry(
            .busy, "Another process changed the store's schema several times in a row.", "Try again."),
        SQLITE_PROTOCOL: Entry(.busy, "SQLite could not acquire the store's locks.", "Try again."),
        SQLITE_NOLFS: Entry(
            .diskFull, "The file has reached the maximum size of the file system.",
            "Move the store to a file system that supports larger files."),
    ]

    private static let ioErrorNoMemory = SQLITE_IOERR | (12 << 8)
    private static let readOnlyMoved = SQLITE_READONLY | (4 << 8)
    private static let cantOpenSymbolicLink = SQLITE_CANTOPEN | (6 << 8)
}
#endif
