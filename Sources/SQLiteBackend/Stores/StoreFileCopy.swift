#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Copies a snapshot of a store, including its log, into a single file.
struct StoreFileCopy {
    private let file: StoreFile
    private let configuration: SQLiteConfiguration

    init(of file: StoreFile, _ configuration: SQLiteConfiguration) {
        self.file = file
        self.configuration = configuration
    }

    /// Writes the copy and syncs it to the disk; if that fails, there is no file.
    ///
    /// - Throws: `StoreError.Code.busy` while another process writes a copy to the same path.
    func write(to path: String) throws(StoreError) {
        switch try attempt(path) {
        case .made: return
        case .taken:
            throw StoreError(
                .inputOutput, "A file already exists at “\(path)”.",
                remedy: "Choose another path for the copy.")
        case .begun:
            throw StoreError(
                .busy, "Another process is writing a copy to “\(path)”.",
                remedy: "Wait until it has finished, or choose another path for the copy.")
        }
    }

    /// Writes the copy, or returns false if the file exists or another process writes it.
    func writeUnlessExists(to path: String) throws(StoreError) -> Bool { try attempt(path) == .made }

    private enum Outcome { case made, taken, begun }

    private func attempt(_ path: String) throws(StoreError) -> Outcome {
        let copy = try StoreFile(path)
        if copy.exists { return .taken }
        guard let unfinished = try UnfinishedCopy(of: copy) else { return .begun }
        defer { unfinished.discard() }
        // A process that has just released the lock may have finished the copy.
        if copy.exists { return .taken }
        try write(unfinished.file)
        guard try unfinished.publish(copy) else { return .taken }
        try Self.sync(copy.path)
        return .made
    }

    private func write(_ copy: StoreFile) throws(StoreError) {
        // A store's read connection has query_only, which forbids VACUUM INTO; this one also recovers the journal of a killed writer.
        let reader = try SQLiteConnection(
            path: file.path, access: .read, timeout: configuration.busyTimeout,
            testHooks: configuration.testHooks,
            recovers: true)
        defer { reader.close() }
        let result = SQLiteFunctions.register(on: reader.handle)
        if result != SQLITE_OK { throw reader.error(result) }
        try reader.execute("VACUUM INTO '\(copy.path.replacing("'", with: "''"))'")
        let writer = try SQLiteConnection(path: copy.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        // The copy has no log.
        try writer.execute("PRAGMA user_version = \(StoreHeader.version(needsLog: false))")
        guard try writer.text("PRAGMA quick_check(1)") == "ok" else {
            throw StoreError(
                .inputOutput, "The copy at “\(copy.path)” is damaged.", remedy: "Check the disk.")
        }
        try Self.sync(copy.path)
    }

    /// Syncs a file and its folder to the disk.
    static func sync(_ path: String) throws(StoreError) {
        for path in [path, URL(fileURLWithPath: path).deletingLastPathComponent().path] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            defer { if descriptor >= 0 { Foundation.close(descriptor) } }
            guard descriptor >= 0, syncToDisk(descriptor) == 0 else {
                throw StoreError(
                    .inputOutput,
                    "“\(path)” can't be synced to the disk: \(String(cString: strerror(errno))).",
                    remedy: "Check the disk.")
            }
        }
    }

    /// Writes the data of an open file to the disk; returns 0 if the system confirms it.
    private static func syncToDisk(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
        // There, fsync leaves the data in the drive's cache. Not every file system supports the full sync.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
        #endif
        return fsync(descriptor)
    }
}
#endif
