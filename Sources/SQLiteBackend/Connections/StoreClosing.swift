#if SQLite
import CSQLite
import ContextCore

/// Checkpoints a store and removes its log when its last connection closes.
///
/// While a store is used, its write-ahead log contains committed changes. A flag in the file's header says so, so that a store without
/// its log is recognized as incomplete. The flag is cleared before the log is removed: a process that is killed in between leaves a
/// complete file without the flag.
struct StoreClosing {
    let connection: SQLiteConnection
    let file: StoreFile
    let configuration: SQLiteConfiguration

    /// Checkpoints everything and removes the log, unless another process uses the store.
    ///
    /// If that fails, the store stays as it was, with a log that the next process recovers.
    func checkpointAndRemoveLog() {
        guard !connection.isInTransaction, !connection.hasMoved else { return }
        connection.busy.timeout = .zero
        guard (try? connection.text("PRAGMA journal_mode")) == "wal" else { return }
        guard let version = try? connection.integer("PRAGMA user_version") else { return }
        let whole = StoreHeader.version(needsLog: false)
        if version != whole {
            guard (try? writeVersion(whole)) != nil else { return }
        }
        let isAlone = (try? connection.text("PRAGMA journal_mode = delete")) == "delete"
        if !isAlone, version != whole { try? writeVersion(version) }
    }

    private func writeVersion(_ version: Int64) throws(StoreError) {
        try connection.execute("PRAGMA user_version = \(version)")
        Checkpointing(connection: connection, file: file, configuration: configuration).runBesideReaders()
    }
}
#endif
