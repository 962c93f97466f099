/// Keeps the rows that a fetch answers from everybody else until the write has ended.
///
/// ```swift
/// let job = try context.fetch(Job.self, where: \.state == .open, order: .ascending(\.number), limit: 1,
///     lock: .update, wait: .skipLocked).first
/// ```
public enum RowLock: String, Sendable, Hashable, Codable {
    /// Nobody else may change the rows, delete them or lock them.
    case update
}

/// Says what a fetch does that is to lock rows which somebody else has locked.
public enum LockWait: Sendable, Hashable {
    /// It waits as long as it would wait for another writer of the store.
    case patiently
    /// It waits so long for all of them together, and throws ``StoreError/Code/busy`` where some are locked even then.
    ///
    /// A fetch that takes longer since it has much to do isn't stopped by this.
    case wait(Duration)
    /// It throws ``StoreError/Code/busy`` at once.
    case noWait
    /// It passes over them, as if they were not there; a lock of a whole table it waits for.
    case skipLocked

    /// Whether it waits for rows at all.
    var isPatient: Bool { self != .noWait && self != .skipLocked }
}
