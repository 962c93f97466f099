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
            // The temporary copy is as large as the store, too large for memory.
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
        try withExclusiveAccess { () throws(StoreError) in
            for path in [file.path, file.log, file.index, file.journal]
            where unlink(path) != 0 && errno != ENOENT {
                throw StoreError(
                    .inputOutput, "The file “\(path)” can't be removed: \(String(cString: strerror(errno))).",
                    remedy: "Check that the folder is writable.")
            }
        }
    }

    /// Runs a closure while no other process uses the store.
    ///
    /// An open connection in WAL mode prevents the change of the journal mode; a reader or writer in the other mode prevents the
    /// exclusive lock.
    func withExclusiveAccess(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        // The inspector's own connection would prevent both.
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
        try withExclusiveAccess { () throws(StoreError) in
            guard rename(path, file.path) == 0 else {
                throw StoreError(
                    .inputOutput,
                    "“\(path)” can't replace the store: \(String(cString: strerror(errno))).",
                    remedy: "Keep both files in the same writable folder.")
            }
            try StoreFileCopy.sync(file.path)
        }
    }
}

extension SQLiteConnection {
    /// Allows VACUUM to attach the temporary database into which it copies the store.
    func allowVacuum() { sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1) }
}
#endif
