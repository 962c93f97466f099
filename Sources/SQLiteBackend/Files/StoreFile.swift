#if SQLite
import CSQLite
import ContextCore
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The file of a store, which only its owner can read and which is checked before it is written.
struct StoreFile {
    /// The path, in which symbolic links of the folder are resolved.
    let path: String

    init(_ path: String) throws(StoreError) {
        let url = URL(fileURLWithPath: path)
        guard let folder = Self.realPath(url.deletingLastPathComponent().path) else {
            throw StoreError(
                .storeNotFound, "The folder of the store “\(path)” doesn't exist.",
                remedy: "Create the folder, or correct the path.")
        }
        self.path = folder == "/" ? "/" + url.lastPathComponent : folder + "/" + url.lastPathComponent
    }

    /// The write-ahead log.
    var log: String { path + "-wal" }
    /// The index of the write-ahead log, which all processes that use the store share.
    var index: String { path + "-shm" }
    /// The rollback journal, which is used without a write-ahead log.
    var journal: String { path + "-journal" }

    /// Whether the file exists, even if it is empty.
    var exists: Bool { FileIdentity(of: path) != nil }

    /// Creates an empty file that only its owner can read.
    ///
    /// SQLite would create one that everyone can read; it gives its side files the permissions of the main file.
    func create() throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            let code: StoreError.Code =
                [EACCES, EPERM, EROFS].contains(errno)
                ? .readOnly : errno == ENOSPC ? .diskFull : .inputOutput
            throw StoreError(
                code, "The store “\(path)” can't be created: \(String(cString: strerror(errno))).",
                remedy: "Check that the folder is writable.")
        }
    }

    /// Checks the header without a lock and without changing a file.
    ///
    /// It ignores a file with an unfinished transaction, which SQLite has to roll back first.
    ///
    /// - Throws: ``StoreError/Code/notADatabase``, ``StoreError/Code/notAStore`` for another program's database,
    ///   ``StoreError/Code/configuration`` for a UTF-16 database, ``StoreError/Code/newerFormat``, and
    ///   ``StoreError/Code/storeIncomplete`` when its write-ahead log is gone.
    func checkHeader(_ testHooks: SQLiteTestHooks) throws(StoreError) {
        if FileIdentity(of: path)?.isFolder == true {
            throw StoreError.sqlite(SQLITE_CANTOPEN | (2 << 8), detail: "the path is a folder")
        }
        let connection = try SQLiteConnection(
            path: path, access: .read, timeout: .zero, testHooks: testHooks, statementCapacity: 4)
        defer { connection.close() }
        var header = try StoreHeader(raw: connection)
        if FileIdentity(of: path)?.isEmpty == true || FileIdentity(of: journal)?.isEmpty == false { return }
        try header.check(self)
        var looks = 0
        // A process that closes the store removes the log shortly before the header is updated.
        while header.usesLog, header.needsLog, FileIdentity(of: log) == nil {
            looks += 1
            if looks > 20 { throw missingLogError }
            usleep(25_000)
            header = try StoreHeader(raw: connection)
        }
    }

    private var missingLogError: StoreError {
        StoreError(
            .storeIncomplete, "The write-ahead log “\(log)”, which contains the last commits, is missing.",
            remedy: """
                Put it back beside the store, which was not changed. If SQLite's own tools have checkpointed and removed the log, \
                confirm that with: sqlite3 \(path.shellQuoted) 'PRAGMA journal_mode = delete'
                """)
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A file's device and inode, which identify it even if another file takes its path.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64
    let isEmpty: Bool
    let isFolder: Bool
    /// Whether the file has several hard links.
    let hasOtherNames: Bool

    /// Reads the identity of a path without following a symbolic link, or returns nil if there is no file.
    init?(of path: String) { self.init(of: path.utf8CString) }

    /// Reads the identity of a path given as a C string.
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

    /// Reads the identity of an open file.
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
