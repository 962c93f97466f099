#if SQLite
import CSQLite
import ContextCore
import Foundation
import SQLStore

/// Makes a whole store of what a store's file and its log hold at one moment.
struct StoreFileCopy {
    private let file: StoreFile
    private let configuration: SQLiteConfiguration

    init(of file: StoreFile, _ configuration: SQLiteConfiguration) {
        self.file = file
        self.configuration = configuration
    }

    /// Writes the copy, and sees it onto the disk; where it fails there is no file.
    ///
    /// - Throws: `StoreError.Code.busy` while somebody else makes a copy of that name.
    func write(to path: String) throws(StoreError) {
        let copy = try StoreFile(path)
        try Self.checkAbsence(of: copy)
        let unfinished = try UnfinishedCopy(of: copy)
        defer { unfinished.giveUp() }
        // Whoever has just let go of the name may have made the copy.
        try Self.checkAbsence(of: copy)
        try write(unfinished.file)
        try unfinished.take(copy)
        try Self.sync(copy.path)
    }

    private static func checkAbsence(of copy: StoreFile) throws(StoreError) {
        guard copy.exists else { return }
        throw StoreError(
            .inputOutput, "There is a file at “\(copy.path)” already.", remedy: "Name another for the copy.")
    }

    private func write(_ copy: StoreFile) throws(StoreError) {
        // One of our own connections would write nothing while it reads; and what a killed writer has left is finished first.
        let reader = try SQLiteConnection(
            path: file.path, access: .read, timeout: configuration.busyTimeout, seams: configuration.seams,
            recovers: true)
        defer { reader.close() }
        let result = SQLiteFunctions.register(on: reader.handle)
        if result != SQLITE_OK { throw reader.error(result) }
        try reader.execute("VACUUM INTO '\(copy.path.replacing("'", with: "''"))'")
        let writer = try SQLiteConnection(path: copy.path, access: .readAndWrite, timeout: .zero)
        defer { writer.close() }
        // The copy has no log, whatever the store has.
        try writer.execute("PRAGMA user_version = \(StoreHeader.version(needsLog: false))")
        guard try writer.text("PRAGMA quick_check(1)") == "ok" else {
            throw StoreError(
                .inputOutput, "The copy at “\(copy.path)” is damaged.", remedy: "Look after the disk.")
        }
        try Self.sync(copy.path)
    }

    /// Sees a file, and its place in the folder, onto the disk.
    static func sync(_ path: String) throws(StoreError) {
        for path in [path, URL(fileURLWithPath: path).deletingLastPathComponent().path] {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            defer { if descriptor >= 0 { Foundation.close(descriptor) } }
            guard descriptor >= 0, fsync(descriptor) == 0 else {
                throw StoreError(
                    .inputOutput,
                    "“\(path)” can't be seen onto the disk: \(String(cString: strerror(errno))).",
                    remedy: "Look after the disk.")
            }
        }
    }
}
#endif
