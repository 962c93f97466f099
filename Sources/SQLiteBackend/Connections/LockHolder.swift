#if SQLite
import ContextCore
import Foundation

/// Another process that keeps a connection of this one from a database, as far as the system tells.
struct LockHolder: Equatable, Sendable, CustomStringConvertible {
    let process: Int32
    /// What its program is called; nil where that can't be told.
    let program: String?

    /// The process in words.
    ///
    /// Example: `process 4711 (storectl)`
    var description: String { "process \(process)\(program.map { " (\($0))" } ?? "")" }
}

extension LockHolder {
    /// Finds the process that holds the locks of a database; nil where none is found, or where the system doesn't say.
    ///
    /// It asks only for the numbers of files: a process that opens a file of SQLite's and closes it again loses its locks.
    init?(ofDatabase path: String) {
        #if os(Linux)
        let own = ProcessInfo.processInfo.processIdentifier
        let holder = Self.holder(
            among: Self.locks.filter { $0.process != own }, index: Place(path + "-shm"),
            database: Place(path))
        guard let holder else { return nil }
        self.init(process: holder)
        #else
        return nil
        #endif
    }

    /// Finds the process, this one or another, that holds the lock of a whole file; nil where none is found.
    init?(ofFile path: String) {
        #if os(Linux)
        let place = Place(path)
        let lock = Self.locks.first {
            $0.isOfWholeFile && $0.isExclusive && $0.file == place?.file && $0.device == place?.device
        }
        guard let lock else { return nil }
        self.init(process: lock.process)
        #else
        return nil
        #endif
    }

    private init(process: Int32) {
        self.process = process
        program = Self.read("/proc/\(process)/comm").flatMap(Self.name)
    }

    private static var locks: [FileLock] {
        (read("/proc/locks") ?? "").split(separator: "\n").compactMap { FileLock(line: $0) }
    }

    /// Where a file is, as locks name it.
    struct Place: Equatable, Sendable {
        let device: FileLock.Device
        let file: UInt64

        init(device: FileLock.Device, file: UInt64) {
            self.device = device
            self.file = file
        }

        init?(_ path: String) {
            var info = stat()
            guard lstat(path, &info) == 0 else { return nil }
            device = FileLock.Device(UInt64(info.st_dev))
            file = UInt64(info.st_ino)
        }
    }

    /// The process that is most likely in the way: whoever writes, then whoever keeps others out, then whoever reads.
    ///
    /// - Parameters:
    ///   - locks: Those of other processes.
    ///   - index: Where the index of the log is, which is locked in place of the database where there is one.
    static func holder(among locks: [FileLock], index: Place?, database: Place?) -> Int32? {
        func first(_ place: Place?, _ bytes: ClosedRange<UInt64>, exclusive: Bool) -> Int32? {
            locks.first { lock in
                !lock.isOfWholeFile && lock.file == place?.file && lock.device == place?.device
                    && lock.bytes.overlaps(bytes)
                    && (lock.isExclusive || !exclusive)
            }?.process
        }
        return first(index, FileLock.Part.writing, exclusive: true)
            ?? first(index, FileLock.Part.index, exclusive: true)
            ?? first(database, FileLock.Part.database, exclusive: true)
            // Readers of a database with a log keep nobody from writing, and have a lock of its file all the same.
            ?? (index == nil ? first(database, FileLock.Part.database, exclusive: false) : nil)
    }

    /// Files of the system have no size, by which others are read.
    private static func read(_ path: String) -> String? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        return (try? handle.readToEnd()).flatMap { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    /// A process may call itself anything, which goes into a message.
    static func name(_ text: String) -> String? {
        let letters = text.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(letters))
        return name.isEmpty ? nil : name
    }
}

extension StoreError {
    /// The error of a database that is locked, with the process that has it.
    func naming(_ holder: LockHolder?) -> StoreError {
        guard let holder else { return self }
        return StoreError(
            code, "\(message) It is held by \(holder) now.", remedy: remedy, conflicts: conflicts,
            failures: failures, detail: detail, cause: cause)
    }
}
#endif
