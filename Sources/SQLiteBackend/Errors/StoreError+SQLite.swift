#if SQLite
import CSQLite
import ContextCore

extension StoreError {
    /// Makes the error of a result code, in the words of the table below.
    ///
    /// The extended code is looked up first, then the primary one in its low byte.
    static func sqlite(_ result: Int32, detail words: String, statement: String? = nil) -> StoreError {
        let entry = table[result] ?? table[result & 0xFF] ?? unknown
        var detail = "SQLite \(result): \(words)"
        if let statement { detail += "; statement: \(statement)" }
        return StoreError(entry.code, entry.message, remedy: entry.remedy, detail: detail)
    }

    /// Whether trying the same again later may work.
    static func isBusy(_ result: Int32) -> Bool {
        result & 0xFF == SQLITE_BUSY || result & 0xFF == SQLITE_LOCKED
    }

    /// Whether the operating system failed, so that what a commit came to can't be told from its answer.
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
        .readOnly, "The store was not closed by its last user, and can't be made whole without writing.",
        "Open it once for writing, with mode=rw, from an account that may write the file and its folder.")

    private static let unknown = Entry(
        .database, "SQLite refused a statement.", "This is a fault of the library: please report it.")

    /// The meaning of each result code (https://www.sqlite.org/rescode.html).
    private static let table: [Int32: Entry] = [
        SQLITE_BUSY: Entry(
            .busy, "Another connection or process held the store for too long.",
            "Try again, or give a longer busy_timeout in the store's URL."),
        SQLITE_LOCKED: Entry(
            .busy, "Another connection of this process held a table for too long.", "Try again."),
        SQLITE_FULL: Entry(
            .diskFull, "There is no room left on the store's disk.",
            "Free some space and save again; what was committed is safe."),
        SQLITE_IOERR: Entry(
            .inputOutput, "The operating system couldn't read or write the store's file.",
            "Look after the disk, then try again."),
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
            "The folder of the store can't be written, and there is no room for a journal elsewhere.",
            "Check the folder's permissions, or open it with mode=ro."),
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
            .readOnly, "The permissions of the store's file don't allow it.", "Check them, and the folder's."),
        SQLITE_AUTH: Entry(.database, "SQLite was not allowed to run a statement."),
        SQLITE_CORRUPT: Entry(
            .corrupt, "The store's file is damaged.",
            "Restore a backup, or copy what can be read into a new store."),
        SQLITE_NOTADB: Entry(
            .notADatabase, "The file is no SQLite database.", "Check the path; the file was not touched."),
        SQLITE_TOOBIG: Entry(
            .unsupportedRequest, "A value is larger than SQLite takes.",
            "Keep large data in files of its own."),
        SQLITE_CONSTRAINT: Entry(
            .conflict, "A constraint of the store was broken.", "Fetch the objects anew."),
        SQLITE_CONSTRAINT | (8 << 8): Entry(
            .duplicate, "Two rows have the same values of a unique constraint."),
        SQLITE_CONSTRAINT | (6 << 8): Entry(.duplicate, "Two rows have the same key."),
        SQLITE_CONSTRAINT | (3 << 8): Entry(
            .missingReference,
            "A row that is referred to is not there, or rows still refer to one that is deleted."),
        SQLITE_INTERRUPT: Entry(.cancelled, "The operation was cancelled."),
        SQLITE_SCHEMA: Entry(
            .busy, "Another process changed the store's schema again and again.", "Try again."),
        SQLITE_PROTOCOL: Entry(.busy, "The store's locks could not be had.", "Try again."),
        SQLITE_NOLFS: Entry(.diskFull, "The file has grown beyond what the file system allows."),
    ]

    private static let ioErrorNoMemory = SQLITE_IOERR | (12 << 8)
    private static let readOnlyMoved = SQLITE_READONLY | (4 << 8)
    private static let cantOpenSymbolicLink = SQLITE_CANTOPEN | (6 << 8)
}
#endif
