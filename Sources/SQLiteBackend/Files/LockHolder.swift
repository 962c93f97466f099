#if SQLite
import ContextCore
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// Another process that holds locks on a database, as reported by the operating system.
struct LockHolder: Equatable, Sendable, CustomStringConvertible {
    let process: Int32
    /// The name of its program, or nil if it is unknown.
    let program: String?

    /// A description such as `process 4711 (storectl)`.
    var description: String { "process \(process)\(program.map { " (\($0))" } ?? "")" }
}

extension LockHolder {
    /// Finds the process that holds locks on a database, or returns nil if none is found or the system doesn't report it.
    ///
    /// It must not open the database's files, because a process loses its POSIX locks on a file when it closes any descriptor of it.
    init?(ofDatabase path: String) {
        #if os(Linux)
        let own = ProcessInfo.processInfo.processIdentifier
        let holder = Self.holder(
            among: FileLock.all.filter { $0.process != own }, index: FileKey(path + "-shm"),
            database: FileKey(path))
        guard let holder else { return nil }
        self.init(process: holder)
        #else
        return nil
        #endif
    }

    /// Finds the process, possibly this one, that holds an exclusive lock on a whole file, or returns nil.
    init?(ofFile path: String) {
        #if os(Linux)
        let fileKey = FileKey(path)
        let lock = FileLock.all.first {
            $0.isOfWholeFile && $0.isExclusive && $0.file == fileKey?.file && $0.device == fileKey?.device
        }
        guard let lock else { return nil }
        self.init(process: lock.process)
        #else
        return nil
        #endif
    }

    private init(process: Int32) {
        self.process = process
        program = ProcessFile.text("/proc/\(process)/comm").flatMap(Self.name)
    }

    /// A file's device and inode, which identify it in lock tables.
    struct FileKey: Equatable, Sendable {
        let device: FileLock.Device
        let file: UInt64
    }

    /// Returns the process that most likely blocks a connection: a writer, then a process with another exclusive lock, then a reader.
    ///
    /// - Parameters:
    ///   - locks: The locks of other processes.
    ///   - index: The WAL index, whose locks replace those of the database in WAL mode.
    static func holder(among locks: [FileLock], index: FileKey?, database: FileKey?) -> Int32? {
        func first(_ fileKey: FileKey?, _ bytes: ClosedRange<UInt64>, exclusive: Bool) -> Int32? {
            locks.first { lock in
                !lock.isOfWholeFile && lock.file == fileKey?.file && lock.device == fileKey?.device
                    && lock.bytes.overlaps(bytes)
                    && (lock.isExclusive || !exclusive)
            }?.process
        }
        return first(index, FileLock.Part.writing, exclusive: true)
            ?? first(index, FileLock.Part.index, exclusive: true)
            ?? first(database, FileLock.Part.database, exclusive: true)
            // In WAL mode readers lock the database file, but don't block writers.
            ?? (index == nil ? first(database, FileLock.Part.database, exclusive: false) : nil)
    }

    /// Removes control characters from a process name, which goes into an error message.
    static func name(_ text: String) -> String? {
        let letters = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(letters))
        return name.isEmpty ? nil : name
    }
}

extension StoreError {
    /// Adds the process that holds the lock to the error's message.
    func addingLockHolder(_ holder: LockHolder?) -> StoreError {
        guard let holder else { return self }
        return StoreError(
            code, "\(message) The lock is held by \(holder).", remedy: remedy, conflicts: conflicts,
            failures: failures, detail: detail, cause: cause)
    }
}

extension LockHolder.FileKey {
    init?(_ path: String) { self.init { lstat(path, &$0) } }

    /// Creates the key of the file behind a link, such as that of an open file in `/proc`.
    init?(opened path: String) { self.init { stat(path, &$0) } }

    private init?(_ look: (inout stat) -> Int32) {
        var info = stat()
        guard look(&info) == 0 else { return nil }
        self.init(
            device: FileLock.Device(UInt64(truncatingIfNeeded: info.st_dev)),
            file: UInt64(truncatingIfNeeded: info.st_ino))
    }
}
#endif
