#if SQLite
import ContextCore
import Synchronization

/// Gives out keys for new rows, out of blocks that are taken from the store.
///
/// State: what is left of each tree's block, and how far keys were given out, guarded by a mutex; only the session that writes
/// uses it. A block that was taken in a transaction belongs to the store again when that is rolled back, so what is left of it is
/// forgotten then; keys of it that were given out are not given out again.
final class KeyBlocks: Sendable {
    private struct State {
        /// What is left of the block of each tree, by the number of its uppermost entity.
        var blocks: [Int: Range<Int64>] = [:]
        /// The first key of each tree that was not given out yet by this process.
        var next: [Int: Int64] = [:]
        /// The trees whose block was taken in the transaction that is open.
        var fresh: Set<Int> = []
    }

    /// How many keys are taken from the store at least: saves of single objects then seldom have to.
    private static let blockSize = 64

    private let state = Mutex(State())

    /// Sets keys aside that follow each other.
    func reserve(_ count: Int, of number: Int, _ connection: SQLiteConnection) throws(StoreError) -> Range<
        Int64
    > {
        let left = state.withLock { $0.blocks[number] }
        if let left, left.count >= count {
            return give(left.lowerBound..<left.lowerBound + Int64(count), of: left, number)
        }
        let known = state.withLock { $0.next[number] } ?? 1
        let size = max(count, Self.blockSize)
        let block = try take(size, of: number, from: known, connection)
        state.withLock { _ = $0.fresh.insert(number) }
        if let left, left.upperBound == block.lowerBound {
            let joined = left.lowerBound..<block.upperBound
            return give(joined.lowerBound..<joined.lowerBound + Int64(count), of: joined, number)
        }
        return give(block.lowerBound..<block.lowerBound + Int64(count), of: block, number)
    }

    private func give(_ keys: Range<Int64>, of block: Range<Int64>, _ number: Int) -> Range<Int64> {
        state.withLock { state in
            state.blocks[number] = keys.upperBound..<block.upperBound
            state.next[number] = keys.upperBound
            return keys
        }
    }

    private func take(
        _ size: Int, of number: Int, from known: Int64, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64> {
        let statement = try connection.statement(
            """
            INSERT INTO "_store_keys" ("entity", "next") VALUES (?1, ?2 + ?3) \
            ON CONFLICT ("entity") DO UPDATE SET "next" = max("next", ?2) + ?3 RETURNING "next"
            """)
        defer { statement.reset() }
        statement.bind(1, Int64(number))
        statement.bind(2, known)
        statement.bind(3, Int64(size))
        guard try statement.step() else { return known..<known + Int64(size) }
        let end = statement.integer(0)
        return end - Int64(size)..<end
    }

    /// The blocks that were taken are this process's for good.
    func commit() {
        state.withLock { $0.fresh = [] }
    }

    /// The blocks that were taken are the store's again.
    func rollback() {
        state.withLock { state in
            for number in state.fresh { state.blocks[number] = nil }
            state.fresh = []
        }
    }
}
#endif
