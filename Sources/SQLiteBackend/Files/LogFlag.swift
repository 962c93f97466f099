#if SQLite
import ContextCore
import Synchronization

/// Sets a flag in the file's header while the store depends on its write-ahead log.
///
/// The write session sets the flag; an atomic Boolean records whether it is set.
final class LogFlag: Sendable {
    private let isWritten: Atomic<Bool>

    /// - Parameter isNeeded: Whether the store uses a log that could get lost.
    init(isNeeded: Bool) { isWritten = Atomic(!isNeeded) }

    /// Sets the flag in the open transaction if it isn't set; returns whether it did.
    func write(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
        if isWritten.load(ordering: .relaxed) { return false }
        let flagged = StoreHeader.version(needsLog: true)
        if try connection.integer("PRAGMA user_version") != flagged {
            try connection.execute("PRAGMA user_version = \(flagged)")
        }
        return true
    }

    /// Checkpoints the flag into the file after the transaction is committed.
    func finish(_ checkpointing: Checkpointing) {
        isWritten.store(true, ordering: .relaxed)
        checkpointing.runBesideReaders()
    }
}
#endif
