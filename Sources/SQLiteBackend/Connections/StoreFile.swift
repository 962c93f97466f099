#if SQLite
import CSQLite
import ContextCore
import Foundation

/// The file of a store: made for its owner only, and looked at before anything is written to it.
struct StoreFile {
    /// What the header of our files says: `CCor`.
    static let applicationID: Int64 = 0x4343_6F72
    /// The version of the tables that a store keeps for itself.
    static let formatVersion: Int64 = 1

    /// The path, with its folder's symbolic links followed and its own not.
    let path: String

    init(_ path: String) throws(StoreError) {
        let url = URL(fileURLWithPath: path)
        guard let folder = Self.realPath(url.deletingLastPathComponent().path) else {
            throw StoreError(
                .inputOutput, "The folder of the store “\(path)” doesn't exist.",
                remedy: "Make it, or correct the path.")
        }
        self.path = folder == "/" ? "/" + url.lastPathComponent : folder + "/" + url.lastPathComponent
    }

    /// Whether there is a file, an empty one included.
    var exists: Bool {
        var info = stat()
        return lstat(path, &info) == 0
    }

    /// Whether there is a file with anything in it.
    var hasContent: Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_size > 0
    }

    /// Makes an empty file that only its owner may read.
    ///
    /// SQLite would make one that everybody may read, and gives its side files the permissions of the main file.
    func create() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw StoreError(
                .inputOutput, "The store “\(path)” can't be made: \(String(cString: strerror(errno))).",
                remedy: "Check that the folder may be written.")
        }
    }

    /// Looks at the header without a lock and without touching anything.
    ///
    /// - Throws: ``StoreError/Code/notAStore`` for what is no database or another program's, ``StoreError/Code/modelMismatch`` for a
    ///   store that a newer version of this library made.
    func checkHeader() throws(StoreError) {
        let connection = try SQLiteConnection(
            path: immutableURI, access: .read, timeout: .zero, uri: true, statementCapacity: 4)
        defer { connection.close() }
        let application = try connection.integer("PRAGMA application_id") ?? 0
        let version = try connection.integer("PRAGMA user_version") ?? 0
        guard application == Self.applicationID else {
            throw StoreError(
                .notAStore, "“\(path)” is a database of another program.",
                remedy: "Check the path; the file was not touched.",
                detail: "Its application_id is \(application).")
        }
        guard version <= Self.formatVersion else {
            throw StoreError(
                .modelMismatch, "“\(path)” was made by a newer version of this library.",
                remedy: "Update the program; the file was not touched.",
                detail: "Its format is \(version), this library knows \(Self.formatVersion).")
        }
    }

    /// The path as a URI by which SQLite reads the file as it is: no locks, no journals, nothing made beside it.
    private var immutableURI: String {
        let escaped = path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                String(UnicodeScalar(byte))
            default: "%" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
        }
        return "file:\(escaped.joined())?immutable=1"
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
#endif
