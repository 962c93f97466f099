#if Postgres
import ContextCore
import SQLStore

/// Gives out keys for new rows, out of blocks that are taken from the store's sequences.
///
/// A sequence never goes back, not even when the transaction does, so no key is given out twice.
///
/// State: what is left of each tree's block, guarded by a mutex.
final class KeyBlocks: Sendable {
    /// How many keys are taken at least: a save that needs no new ones takes one round trip, and one that does takes four.
    private static let blockSize = 512

    /// What is left of the block of each tree, by the number of its uppermost entity.
    private let blocks = Guarded<[Int: Range<Int64>]>([:])

    /// Sets keys aside that follow each other, above those of rows that came from elsewhere.
    ///
    /// Two that take a block at once would take the same one, so a lock is held meanwhile. It is the session's, as others need not wait
    /// for the end of the transaction.
    ///
    /// - Parameters:
    ///   - lockName: Tells the store's lock from those of other stores.
    ///   - looksAtRows: Whether keys of rows are passed over that came from elsewhere. In a serializable transaction to look at them would
    ///     be overtaken by every row that others insert.
    func reserve(
        _ count: Int, of root: EntityMapping, in dialect: SQLDialect, lockName: Int32, looksAtRows: Bool,
        _ connection: PostgresConnection
    ) throws(StoreError) -> Range<Int64> {
        let number = root.number
        if let keys = take(count, of: number) { return keys }
        let size = Int64(max(count, Self.blockSize))
        let sequence: SQLFragment = "\(quoted: dialect.stored(PostgresNames.sequence(number)))"
        let lock = "(\(Self.lockSpace), \(lockName))"
        // Two statements: an engine that keeps the rows on other nodes can't read them in one that advances a sequence.
        let greatest: SQLFragment =
            "SELECT max(\(name: StoreNames.key)) FROM \(stored: root.table)"
        let last: Int64?
        do throws(StoreError) {
            let look = looksAtRows ? SQLText(greatest, dialect).sql : "SELECT 0"
            let used = try connection.integer("SELECT pg_catalog.pg_advisory_lock\(lock); \(look)") ?? 0
            let reservation: SQLFragment = """
                SELECT setval(\(sequence), greatest(nextval(\(sequence)) - 1, \(number: used)) + \(number: size))
                """
            last = try connection.integer(
                SQLText(reservation, dialect).sql + ", pg_catalog.pg_advisory_unlock\(lock)")
        } catch {
            // It may have the lock, which only the end of the session takes from it then.
            if !error.isLockTimeout { connection.hangUp() }
            throw error
        }
        guard let last else {
            throw StoreError(.corrupt, "The store has no keys to give.", remedy: "Restore a backup.")
        }
        let first = last - size + 1
        let (taken, rest) = (first..<first + Int64(count), first + Int64(count)..<last + 1)
        blocks.withLock { blocks in
            if rest.count > blocks[number]?.count ?? 0 { blocks[number] = rest }
        }
        return taken
    }

    /// Any number that others are unlikely to lock by; the second half is the store's.
    private static let lockSpace: Int32 = 0x436F_6E77

    /// Passes over a key that came with a row from elsewhere.
    func pass(_ key: Int64, of number: Int) {
        blocks.withLock { blocks in
            guard let left = blocks[number], key >= left.lowerBound else { return }
            blocks[number] = key >= left.upperBound ? nil : key + 1..<left.upperBound
        }
    }

    /// Keys of what was set aside before, if there are enough.
    func take(_ count: Int, of number: Int) -> Range<Int64>? {
        blocks.withLock { blocks in
            guard let left = blocks[number], left.count >= count else { return nil }
            let end = left.lowerBound + Int64(count)
            blocks[number] = end..<left.upperBound
            return left.lowerBound..<end
        }
    }
}

/// Names that only this backend's stores have.
enum PostgresNames {
    /// The sequence that numbers the lines of the history.
    static let historyNumbers = "_store_history_numbers"
    /// The note of the last save that the history does not keep any more.
    static let prunedHistory = "history_pruned"
    /// The note of how far the history is without gaps.
    static let settledHistory = "history_settled"
    /// The sequence of an inheritance tree's keys.
    static func sequence(_ number: Int) -> String { "_store_keys_\(number)" }
}
#endif
