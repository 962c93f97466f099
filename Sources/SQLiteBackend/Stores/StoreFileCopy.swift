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
        switch try attempt(path) {
        case .made: return
        case .taken:
            throw StoreError(
                .inputOutput, "There is a file at “\(path)” already.", remedy: "Name another for the copy.")
        case .begun:
            throw StoreError(
                .busy, "Somebody else is making a copy of that name: “\(path)”.",
                remedy: "Wait for it, or name another for the copy.")
        }
    }

    /// The same, which tells whether the copy was made: it isn't where somebody else has the name, or makes a copy of it.
    func writeUnlessTaken(to path: String) throws(StoreError) -> Bool { try attempt(path) == .made }

    private enum Outcome { case made, taken, begun }

    private func attempt(_ path: String) throws(StoreError) -> Outcome {
        let copy = try StoreFile(path)
        if copy.exists { return .taken }
        guard let unfinished = try UnfinishedCopy(of: copy) else { return .begun }
        defer { unfinished.giveUp() }
        // Whoever has just let go of the name may have made the copy.
        if copy.exists { return .taken }
        try write(unfinished.file)
        guard try unfinished.take(copy) else { return .taken }
        try Self.sync(copy.path)
        return .made
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
