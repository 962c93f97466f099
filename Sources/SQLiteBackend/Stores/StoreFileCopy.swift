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
    func write(to path: String) throws(StoreError) {
        let copy = try StoreFile(path)
        guard !copy.exists else {
            throw StoreError(
                .inputOutput, "There is a file at “\(path)” already.", remedy: "Name another for the copy.")
        }
        // What a killed program has left is no copy, and in nobody's way.
        let unfinished = try StoreFile(path + ".unfinished")
        for path in [unfinished.path, unfinished.journal, unfinished.log, unfinished.index] { unlink(path) }
        try unfinished.create()
        do throws(StoreError) {
            try write(unfinished)
            try take(unfinished, for: copy)
        } catch {
            unlink(unfinished.path)
            throw error
        }
        try Self.sync(copy.path)
    }

    /// Gives a copy its name, unless somebody else was quicker.
    private func take(_ unfinished: StoreFile, for copy: StoreFile) throws(StoreError) {
        guard
            link(unfinished.path, copy.path) == 0
                // Not every file system has links.
                || (errno != EEXIST && rename(unfinished.path, copy.path) == 0)
        else {
            throw StoreError(
                .inputOutput,
                "The copy “\(copy.path)” can't be given its name: \(String(cString: strerror(errno))).",
                remedy: "Name another for the copy.")
        }
        unlink(unfinished.path)
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
