#if SQLite
import CSQLite
import ContextCore

/// What the first bytes of a store's file say (<https://sqlite.org/fileformat.html#the_database_header>).
struct StoreHeader {
    /// What the header of our files says: `CCor`.
    static let applicationID: Int64 = 0x4343_6F72
    /// The version of the tables that a store keeps for itself.
    static let formatVersion: Int64 = 1
    /// Set beside the version as long as the file is not whole without its write-ahead log.
    private static let logMark: Int64 = 0x1_0000

    /// Whether there is anything in the file.
    let isEmpty: Bool
    /// Whether it is a file of SQLite's.
    let isDatabase: Bool
    /// Whether transactions go through a write-ahead log.
    let usesLog: Bool
    /// Whether texts are kept in UTF-8.
    private let isUTF8: Bool
    private let application: Int64
    private let version: Int64

    /// What is written into `user_version`.
    static func version(needsLog: Bool) -> Int64 { formatVersion | (needsLog ? logMark : 0) }

    /// Reads the file as it is: without a lock, without its journals, and without touching anything.
    init(raw connection: SQLiteConnection) throws(StoreError) {
        var bytes = [UInt8](repeating: 0, count: 100)
        var size: Int64 = 0
        let result = csqlite_read_start(connection.handle, &bytes, Int32(bytes.count), &size)
        guard result == SQLITE_OK else { throw connection.error(result) }
        isEmpty = size == 0
        isDatabase = bytes.starts(with: Array("SQLite format 3\0".utf8))
        usesLog = bytes[18] == 2 || bytes[19] == 2
        isUTF8 = Self.number(bytes[56..<60]) == Int64(SQLITE_UTF8)
        application = Self.number(bytes[68..<72])
        version = Self.number(bytes[60..<64])
    }

    /// Asks SQLite, in the transaction that is open.
    init(asking connection: SQLiteConnection) throws(StoreError) {
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

    /// Whether a write-ahead log holds what was committed and isn't in the file yet.
    var needsLog: Bool { version & Self.logMark != 0 }

    /// Whether nobody has said whose file it is.
    var isUnclaimed: Bool { application == 0 && version == 0 }

    /// Refuses what is no store that this library can open.
    func check(_ file: StoreFile) throws(StoreError) {
        guard isDatabase else {
            throw StoreError(
                .notADatabase, "“\(file.path)” is no SQLite database.",
                remedy: "Check the path; the file was not touched.")
        }
        guard application == Self.applicationID else {
            throw StoreError(
                .notAStore, "“\(file.path)” is a database of another program.",
                remedy:
                    "Check the path; the file was not touched. “storectl model import” makes a model of such a database.",
                detail: "Its application_id is \(application).")
        }
        try checkEncoding(file)
        let format = version & ~Self.logMark
        guard format > 0 else {
            throw StoreError(
                .corrupt, "“\(file.path)” doesn't say in which version it is kept.",
                remedy: "Restore a backup; the file was not touched.",
                detail: "Its user_version is \(version).")
        }
        guard format <= Self.formatVersion else {
            throw StoreError(
                .newerFormat, "“\(file.path)” was made by a newer version of this library.",
                remedy: "Update the program; the file was not touched.",
                detail: "Its format is \(format), this library knows \(Self.formatVersion).")
        }
    }

    /// Refuses texts in UTF-16: their bytes are read as they lie there.
    func checkEncoding(_ file: StoreFile) throws(StoreError) {
        if isUTF8 { return }
        throw StoreError(
            .configuration, "“\(file.path)” keeps its texts in another encoding than UTF-8.",
            remedy: """
                Let the sqlite3 shell read what its .dump writes into a new file, and give that the same PRAGMA application_id and \
                user_version; the file was not touched.
                """)
    }
}
#endif
