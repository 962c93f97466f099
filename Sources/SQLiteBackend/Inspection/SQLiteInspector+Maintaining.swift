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
        try StoreFileCopy(of: file, configuration).write(to: path)
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
            try StoreFileCopy.sync(file.path)
        }
    }
}

extension SQLiteConnection {
    /// Lets SQLite attach the one database into which it writes everything anew.
    func allowVacuum() { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1) }
}
#endif
