/// A lock on the rows of a fetch until the write ends.
///
/// ```swift
/// let job = try context.fetch(Job.self, where: \.state == .open, order: .ascending(\.number), limit: 1,
///     lock: .update, wait: .skipLocked).first
/// ```
public enum RowLock: String, Sendable, Hashable, Codable {
    /// An exclusive lock: other transactions can't change, delete or lock the rows.
    case update
}

/// What a locking fetch does with rows that another transaction has locked.
public enum LockWait: Sendable, Hashable {
    /// Waits as long as for another writer of the store.
    case untilTimeout
    /// Waits for the given time for all rows together, and throws ``StoreError/Code/busy`` if some are still locked.
    ///
    /// The time doesn't limit the fetch itself.
    case wait(Duration)
    /// Throws ``StoreError/Code/busy`` immediately.
    case noWait
    /// Skips locked rows; still waits for a lock on the whole table.
    case skipLocked

    /// Whether it waits for locked rows.
    var waitsForLocks: Bool { self != .noWait && self != .skipLocked }
}
