#if SQLite
import CSQLite
import ContextCore

/// The header of a store's file (<https://sqlite.org/fileformat.html#the_database_header>).
struct StoreHeader {
    /// The `application_id` of stores: `CCor`.
    static let applicationID: Int64 = 0x4343_6F72
    /// The version of the store's own tables.
    static let formatVersion: Int64 = 1
    /// A flag in `user_version` that says that the file is incomplete without its write-ahead log.
    private static let logFlag: Int64 = 0x1_0000

    /// Whether the file is empty.
    let isEmpty: Bool
    /// Whether the file is a SQLite database.
    let isDatabase: Bool
    /// Whether the file is in WAL mode.
    let usesLog: Bool
    /// Whether the text encoding is UTF-8.
    private let isUTF8: Bool
    private let application: Int64
    private let version: Int64

    /// Returns the value for `user_version`.
    static func version(needsLog: Bool) -> Int64 { formatVersion | (needsLog ? logFlag : 0) }

    /// Reads the header from the file, without a lock, without its journals, and without changing anything.
    init(raw connection: SQLiteConnection) throws(StoreError) {
        var bytes = [UInt8](repeating: 0, count: 100)
        var size: Int64 = 0
        let result = csqlite_read_start(connection.handle, &bytes, Int32(bytes.count), &size)
        guard result == SQLITE_OK else { throw connection.error(result) }
        isEmpty = size == 0
        isDatabase = bytes.starts(with: Array("SQLite format 3\0".utf8))
        usesLog = bytes[18] == 2 || bytes[19] == 2
        // A file without tables has no encoding yet.
        isUTF8 = [0, Int64(SQLITE_UTF8)].contains(Self.number(bytes[56..<60]))
        application = Self.number(bytes[68..<72])
        version = Self.number(bytes[60..<64])
    }

    /// Reads the header with SQL in the open transaction.
    init(reading connection: SQLiteConnection) throws(StoreError) {
        let tables = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        application = try connection.integer("PRAGMA application_id") ?? 0
        version = try connection.integer("PRAGMA user_version") ?? 0
        isEmpty = tables == 0 && application == 0
        isDatabase = true
        usesLog = false
        isUTF8 = try connection.text("PRAGMA encoding") == "UTF-8"
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(Int32(truncatingIfNeeded: bytes.reduce(0) { $0 << 8 | Int64($1) }))
    }

    /// Whether the write-ahead log contains committed changes that are not in the file.
    var needsLog: Bool { version & Self.logFlag != 0 }

    /// Whether the file has neither an application ID nor a user version.
    var isUnclaimed: Bool { application == 0 && version == 0 }

    /// Throws if the file is not a store that this library can open.
    func check(_ file: StoreFile) throws(StoreError) {
        guard isDatabase else {
            throw StoreError(
                .notADatabase, "“\(file.path)” is not a SQLite database.",
                remedy: "Check the path. The file was not changed.")
        }
        guard application == Self.applicationID else {
            throw StoreError(
                .notAStore, "“\(file.path)” is a database of another program.",
                remedy:
                    "Check the path. The file was not changed. 'storectl model import' creates a model of such a database.",
                detail: "Its application_id is \(application).")
        }
        try checkEncoding(file)
        let format = version & ~Self.logFlag
        guard format > 0 else {
            throw StoreError(
                .corrupt, "“\(file.path)” has no valid format version.",
                remedy: "Restore a backup. The file was not changed.",
                detail: "Its user_version is \(version).")
        }
        guard format <= Self.formatVersion else {
            throw StoreError(
                .newerFormat, "“\(file.path)” was created by a newer version of this library.",
                remedy: "Update the program. The file was not changed.",
                detail: "Its format is \(format), and this library supports \(Self.formatVersion).")
        }
    }

    /// Throws if the text encoding is UTF-16, because texts are read as raw bytes.
    func checkEncoding(_ file: StoreFile) throws(StoreError) {
        try checkEncoding(
            of: file.path,
            remedy: """
                With the sqlite3 shell, read the output of .dump into a new file, and set the same PRAGMA application_id and \
                user_version there. The file was not changed.
                """)
    }

    /// Throws if the file of another program can't be read, because it is no database, or its text encoding is UTF-16.
    func checkForeignFile(_ path: String) throws(StoreError) {
        if isEmpty { return }
        guard isDatabase else {
            throw StoreError(
                .notADatabase, "“\(path)” is not a SQLite database.",
                remedy: "Check the path. The file was not changed.")
        }
        try checkEncoding(
            of: path,
            remedy:
                "With the sqlite3 shell, read the output of .dump into a new file, and import that. The file was not changed."
        )
    }

    private func checkEncoding(of path: String, remedy: String) throws(StoreError) {
        if isUTF8 { return }
        throw StoreError(
            .configuration, "“\(path)” has a text encoding other than UTF-8.", remedy: remedy)
    }
}
#endif
