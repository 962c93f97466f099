#if SQLite
import CSQLite
import ContextCore
import Foundation

/// The file of a store: made for its owner only, and looked at before anything is written to it.
struct StoreFile {
    /// The path, with its folder's symbolic links followed and its own not.
    let path: String

    init(_ path: String) throws(StoreError) {
        let url = URL(fileURLWithPath: path)
        guard let folder = Self.realPath(url.deletingLastPathComponent().path) else {
            throw StoreError(
                .storeNotFound, "The folder of the store “\(path)” doesn't exist.",
                remedy: "Make it, or correct the path.")
        }
        self.path = folder == "/" ? "/" + url.lastPathComponent : folder + "/" + url.lastPathComponent
    }

    /// The write-ahead log.
    var log: String { path + "-wal" }
    /// The index of the write-ahead log, which all who use the store share.
    var index: String { path + "-shm" }
    /// The journal of a transaction, when there is no write-ahead log.
    var journal: String { path + "-journal" }

    /// Whether there is a file, an empty one included.
    var exists: Bool { FileIdentity(of: path) != nil }

    /// Makes an empty file that only its owner may read.
    ///
    /// SQLite would make one that everybody may read, and gives its side files the permissions of the main file.
    func create() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            let code: StoreError.Code =
                [EACCES, EPERM, EROFS].contains(errno)
                ? .readOnly : errno == ENOSPC ? .diskFull : .inputOutput
            throw StoreError(
                code, "The store “\(path)” can't be made: \(String(cString: strerror(errno))).",
                remedy: "Check that the folder may be written.")
        }
    }

    /// Looks at the header without a lock and without touching anything.
    ///
    /// A file that is in the middle of a transaction which nobody finishes is left for SQLite to look at.
    ///
    /// - Throws: ``StoreError/Code/notADatabase``, ``StoreError/Code/notAStore`` for another program's database,
    ///   ``StoreError/Code/configuration`` for one in UTF-16, ``StoreError/Code/newerFormat``, and
    ///   ``StoreError/Code/storeIncomplete`` when its write-ahead log is gone.
    func checkHeader(_ seams: SQLiteSeams) throws(StoreError) {
        if FileIdentity(of: path)?.isFolder == true {
            throw StoreError.sqlite(SQLITE_CANTOPEN | (2 << 8), detail: "the path is a folder's")
        }
        let connection = try SQLiteConnection(
            path: path, access: .read, timeout: .zero, seams: seams, statementCapacity: 4)
        defer { connection.close() }
        var header = try StoreHeader(raw: connection)
        if FileIdentity(of: path)?.isEmpty == true || FileIdentity(of: journal)?.isEmpty == false { return }
        try header.check(self)
        var looks = 0
        // Whoever closes the store lets go of the log just before the header says so.
        while header.usesLog, header.needsLog, FileIdentity(of: log) == nil {
            looks += 1
            if looks > 20 { throw incomplete }
            usleep(25_000)
            header = try StoreHeader(raw: connection)
        }
    }

    private var incomplete: StoreError {
        StoreError(
            .storeIncomplete, "The log “\(log)”, with the last that was committed, is not there.",
            remedy: """
                Put it back beside the store; nothing was touched. If it was SQLite's own tools that have emptied it, say \
                so with: sqlite3 “\(path)” 'PRAGMA journal_mode = delete'.
                """)
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// Tells one file from another that has taken its place.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64
    let isEmpty: Bool
    let isFolder: Bool
    /// Whether the file has more names than one.
    let hasOtherNames: Bool

    /// Looks at a path, and follows no symbolic link; nil if there is nothing.
    init?(of path: String) { self.init(of: path.utf8CString) }

    /// Looks at a path as the system takes it.
    init?(of path: ContiguousArray<CChar>) {
        let found = path.withUnsafeBufferPointer { $0.baseAddress.flatMap { FileIdentity(at: $0) } }
        guard let found else { return nil }
        self = found
    }

    private init?(at path: UnsafePointer<CChar>) {
        var (file, info) = (csqlite_file(), stat())
        if csqlite_look(path, -1, &file) == 0 {
            self.init(file)
        } else if lstat(path, &info) == 0 {
            self.init(info)
        } else {
            return nil
        }
    }

    /// Looks at an open file.
    init?(of descriptor: Int32) {
        var (file, info) = (csqlite_file(), stat())
        if csqlite_look(nil, descriptor, &file) == 0 {
            self.init(file)
        } else if fstat(descriptor, &info) == 0 {
            self.init(info)
        } else {
            return nil
        }
    }

    private init(_ file: csqlite_file) {
        device = file.device
        number = file.number
        isEmpty = file.size == 0
        isFolder = file.is_folder != 0
        hasOtherNames = file.names > 1
    }

    private init(_ info: stat) {
        device = UInt64(truncatingIfNeeded: info.st_dev)
        number = UInt64(truncatingIfNeeded: info.st_ino)
        isEmpty = info.st_size == 0
        isFolder = info.st_mode & S_IFMT == S_IFDIR
        hasOtherNames = info.st_nlink > 1
    }

    static func == (left: FileIdentity, right: FileIdentity) -> Bool {
        left.number == right.number && left.device == right.device
    }
}
#endif
