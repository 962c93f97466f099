#if SQLite
import ContextCore
import Synchronization

/// Sees to it that the file's own header says that the store needs its write-ahead log, as long as it does.
///
/// State: whether the header says so, an atomic; the session that writes sets it.
final class LogMark: Sendable {
    private let isWritten: Atomic<Bool>

    /// - Parameter isNeeded: Whether the store uses a log that somebody could lose.
    init(isNeeded: Bool) { isWritten = Atomic(!isNeeded) }

    /// Writes the mark if it isn't there yet, in the transaction that is open; true if it did.
    func write(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
        if isWritten.load(ordering: .relaxed) { return false }
        let marked = StoreHeader.version(needsLog: true)
        if try connection.integer("PRAGMA user_version") != marked {
            try connection.execute("PRAGMA user_version = \(marked)")
        }
        return true
    }

    /// Brings the mark into the file, once the transaction is committed.
    func finish(_ checkpointing: Checkpointing) {
        isWritten.store(true, ordering: .relaxed)
        checkpointing.runBesideReaders()
    }
}
#endif
