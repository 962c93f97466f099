#if SQLite
import CSQLite
import ContextCore
import Foundation

extension SQLiteInspector: StoreMaintainer {
    func perform(_ work: StoreMaintenance) throws {
        let writer = try SQLiteConnection.open(.readAndWrite, file, configuration)
        defer { writer.close() }
        switch work {
        case .vacuum:
            writer.allowVacuum()
            // The new file is as large as the old one: it has no place in memory.
            try writer.execute("PRAGMA temp_store = 1")
            try writer.execute("VACUUM")
        case .analyze: try writer.execute("ANALYZE")
        case .reindex: try writer.execute("REINDEX")
        case .checkpoint:
            try Checkpointing(connection: writer, file: file, configuration: configuration).finish()
        }
    }

    func drop() throws {
        _ = try models()
        try alone { () throws(StoreError) in
            for path in [file.path, file.log, file.index, file.journal]
            where unlink(path) != 0 && errno != ENOENT {
                throw StoreError(
                    .inputOutput, "The file “\(path)” can't be removed: \(String(cString: strerror(errno))).",
                    remedy: "Check that the folder may be written.")
            }
        }
    }

    /// Does something while nobody else uses the store.
    ///
    /// Whoever has a store open in WAL mode keeps the mode from being changed; one who reads or writes in the other mode keeps the
    /// lock from being taken.
    func alone(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        // Its own connection is one too many.
        connection.close()
        let writer = try SQLiteConnection.open(.readAndWrite, file, configuration)
        defer { writer.close() }
        try writer.setJournal(.delete)
        try writer.execute("BEGIN EXCLUSIVE")
        try body()
    }
}

extension SQLiteInspector: StoreFileCopier {
    func copy(to path: String) throws {
        _ = try models()
        let copy = try StoreFile(path)
        guard !copy.exists else {
            throw StoreError(
                .inputOutput, "There is a file at “\(path)” already.", remedy: "Name another for the copy.")
        }
        try copy.create()
        do throws(StoreError) {
            try write(copy)
        } catch {
            unlink(copy.path)
            throw error
        }
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
    private static func sync(_ path: String) throws(StoreError) {
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

    func replace(with path: String) throws {
        _ = try models()
        try alone { () throws(StoreError) in
            guard rename(path, file.path) == 0 else {
                throw StoreError(
                    .inputOutput,
                    "“\(path)” can't take the store's place: \(String(cString: strerror(errno))).",
                    remedy: "Keep both in one folder that may be written.")
            }
            try Self.sync(file.path)
        }
    }
}

extension SQLiteConnection {
    /// Lets SQLite attach the one database into which it writes everything anew.
    func allowVacuum() { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1) }
}
#endif
