#if Postgres
import ContextCore
import SQLStore

/// The allocator of keys for new rows, which reserves blocks of keys from the store's sequences.
///
/// Sequences aren't rolled back with a transaction, so no key is reserved twice.
///
/// Threads share the unused keys of each tree's block, which a lock guards.
final class KeyBlocks: Sendable {
    /// The size of a block: a save with keys left in the block takes one round trip, and one that reserves a block takes four.
    private static let blockSize = 512

    /// The unused keys of each tree's block, by the number of the root entity.
    private let blocks = Guarded<[Int: Range<Int64>]>([:])

    /// Reserves consecutive keys, which are greater than the keys of existing rows.
    ///
    /// An advisory lock keeps processes from reserving the same block. It is a session lock, so that others don't wait for the end of
    /// the transaction.
    ///
    /// - Parameters:
    ///   - lockName: The part of the lock's key that identifies the store.
    ///   - looksAtRows: Whether to skip the keys of rows that were inserted without a reservation. In a serializable transaction, reading
    ///     them would conflict with every concurrent insertion.
    func reserve(
        _ count: Int, of root: EntityMapping, in dialect: SQLDialect, lockObjectID: Int32,
        skipsExistingKeys: Bool,
        _ connection: PostgresConnection
    ) throws(StoreError) -> Range<Int64> {
        let number = root.number
        if let keys = dequeue(count, of: number) { return keys }
        let size = Int64(max(count, Self.blockSize))
        let sequence: SQLFragment = "\(quoted: dialect.stored(PostgresNames.sequence(number)))"
        let lock = "(\(Self.lockClassID), \(lockObjectID))"
        // Two statements: Citus can't read rows of other nodes in a statement that advances a sequence.
        let greatest: SQLFragment =
            "SELECT max(\(name: StoreNames.key)) FROM \(stored: root.table)"
        let last: Int64?
        do throws(StoreError) {
            let look = skipsExistingKeys ? SQLText(greatest, dialect).sql : "SELECT 0"
            let used = try connection.integer("SELECT pg_catalog.pg_advisory_lock\(lock); \(look)") ?? 0
            let reservation: SQLFragment = """
                SELECT setval(\(sequence), greatest(nextval(\(sequence)) - 1, \(number: used)) + \(number: size))
                """
            last = try connection.integer(
                SQLText(reservation, dialect).sql + ", pg_catalog.pg_advisory_unlock\(lock)")
        } catch {
            // The session may hold the lock, which only its end releases then.
            if !error.isLockTimeout { connection.forceClose() }
            throw error
        }
        guard let last else {
            throw StoreError(
                .corrupt, "The sequence of the keys of \(root.layout.name) has returned no value.",
                remedy: "Restore the store from a backup.")
        }
        let first = last - size + 1
        let (taken, rest) = (first..<first + Int64(count), first + Int64(count)..<last + 1)
        blocks.withLock { blocks in
            if rest.count > blocks[number]?.count ?? 0 { blocks[number] = rest }
        }
        return taken
    }

    /// The first half of the advisory lock's key, which other programs are unlikely to use; the second half identifies the store.
    private static let lockClassID: Int32 = 0x436F_6E77

    /// Removes from the tree's block all keys up to that of a row that was inserted without a reservation.
    func skipKeys(through key: Int64, of number: Int) {
        blocks.withLock { blocks in
            guard let left = blocks[number], key >= left.lowerBound else { return }
            blocks[number] = key >= left.upperBound ? nil : key + 1..<left.upperBound
        }
    }

    /// Removes and returns keys from the tree's block; nil if it has too few.
    func dequeue(_ count: Int, of number: Int) -> Range<Int64>? {
        blocks.withLock { blocks in
            guard let left = blocks[number], left.count >= count else { return nil }
            let end = left.lowerBound + Int64(count)
            blocks[number] = end..<left.upperBound
            return left.lowerBound..<end
        }
    }
}

/// Names of database objects and metadata keys that only this backend's stores have.
enum PostgresNames {
    /// The sequence that numbers the records of the history.
    static let historySequence = "_store_history_numbers"
    /// The metadata key of the number up to which the history has no gaps.
    static let gaplessHistoryEnd = "history_settled"
    /// Returns the name of the sequence for an inheritance tree's keys.
    static func sequence(_ number: Int) -> String { "_store_keys_\(number)" }
}
#endif
