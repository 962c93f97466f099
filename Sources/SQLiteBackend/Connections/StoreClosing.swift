#if SQLite
import CSQLite
import ContextCore

/// Leaves a store as one whole file when its last user closes it.
///
/// While a store is used, the write-ahead log beside it holds a part of what was committed. The file says so itself, by a mark in
/// its header, so that a store whose log got lost is not taken for a whole one. The mark goes before the log does: whoever is
/// killed in between leaves a whole file without the mark.
struct StoreClosing {
    let connection: SQLiteConnection
    let file: StoreFile
    let configuration: SQLiteConfiguration

    /// Moves everything into the file and lets go of the log, unless somebody else uses the store.
    ///
    /// What fails leaves the store as it was: in two files, and the next one who opens it finds everything.
    func settle() {
        guard !connection.isInTransaction, !connection.hasMoved else { return }
        connection.busy.timeout = .zero
        guard (try? connection.text("PRAGMA journal_mode")) == "wal" else { return }
        guard let version = try? connection.integer("PRAGMA user_version") else { return }
        let whole = StoreHeader.version(needsLog: false)
        if version != whole {
            guard (try? note(whole)) != nil else { return }
        }
        let isAlone = (try? connection.text("PRAGMA journal_mode = delete")) == "delete"
        if !isAlone, version != whole { try? note(version) }
    }

    private func note(_ version: Int64) throws(StoreError) {
        try connection.execute("PRAGMA user_version = \(version)")
        Checkpointing(connection: connection, file: file, configuration: configuration).runBesideReaders()
    }
}
#endif
