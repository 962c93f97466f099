#if SQLite
import ContextCore
import SQLStore

/// Gives out keys for new rows, out of blocks that are taken from the store.
///
/// State: what is left of each tree's block, and how far keys were given out, guarded by a mutex; only the session that writes
/// uses it. A block that was taken in a transaction belongs to the store again when that is rolled back, so what is left of it is
/// forgotten then; keys of it that were given out are not given out again.
final class KeyBlocks: Sendable {
    /// What is known of one tree's keys.
    private struct Tree {
        /// What is left of its block.
        var block: Range<Int64>?
        /// The first key that was not given out yet by this process.
        var next: Int64 = 1
        /// Behind which key the store gives out keys to others.
        var end: Int64 = 0
        /// Whether the block was taken in the transaction that is open.
        var isFresh = false
    }

    /// By the number of the tree's uppermost entity.
    private typealias State = [Int: Tree]

    /// How many keys are taken from the store at least: saves of single objects then seldom have to.
    private static let blockSize = 64

    private let state = Guarded(State())

    /// Sets keys aside that follow each other.
    func reserve(
        _ count: Int, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64> {
        let number = entity.number
        let left = try usable(entity, connection)
        if let left, left.count >= count {
            return give(left.lowerBound..<left.lowerBound + Int64(count), of: left, number)
        }
        let block = try take(max(count, Self.blockSize), of: entity, connection)
        change(number) { tree in
            tree.isFresh = true
            tree.end = block.upperBound
        }
        if let left, left.upperBound == block.lowerBound {
            let joined = left.lowerBound..<block.upperBound
            return give(joined.lowerBound..<joined.lowerBound + Int64(count), of: joined, number)
        }
        return give(block.lowerBound..<block.lowerBound + Int64(count), of: block, number)
    }

    private func change(_ number: Int, _ body: (inout Tree) -> Void) {
        state.withLock { body(&$0[number, default: Tree()]) }
    }

    private func give(_ keys: Range<Int64>, of block: Range<Int64>, _ number: Int) -> Range<Int64> {
        change(number) { tree in
            tree.block = keys.upperBound..<block.upperBound
            tree.next = keys.upperBound
        }
        return keys
    }

    /// What is left of a tree's block, unless somebody has used a key of it without asking.
    private func usable(
        _ entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64>? {
        guard let left = state.withLock({ $0[entity.number]?.block }), !left.isEmpty else { return nil }
        if connection.clock?.usableBlocks.contains(entity.number) == true { return left }
        let statement = try connection.statement(question(entity))
        defer { statement.reset() }
        statement.bind(1, left.lowerBound)
        statement.bind(2, left.upperBound)
        if try statement.step() { return nil }
        connection.clock?.usableBlocks.append(entity.number)
        return left
    }

    /// How a tree's table is asked for a row with one of some keys.
    private func question(_ entity: EntityMapping) -> String {
        SQLText(
            """
            SELECT 1 FROM \(name: entity.table) \
            WHERE \(name: StoreNames.key) >= \(.place(.key)) AND \(name: StoreNames.key) < \(.place(.key)) LIMIT 1
            """, .sqlite
        ).sql
    }

    /// Takes a block from the store, behind all keys that were ever given out and all that rows have.
    private func take(
        _ size: Int, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64> {
        let known = state.withLock { $0[entity.number]?.next } ?? 1
        let first = max(known, try noted(entity, connection), try follower(of: greatest(entity, connection)))
        let (end, overflow) = first.addingReportingOverflow(Int64(size))
        if overflow { throw Self.exhausted }
        try note(end, of: entity, connection)
        return first..<end
    }

    private func follower(of key: Int64) throws(StoreError) -> Int64 {
        if key == .max { throw Self.exhausted }
        return key + 1
    }

    private static let exhausted = StoreError(.database, "An entity has no keys left to give out.")

    /// The greatest key of the rows that there are.
    private func greatest(
        _ entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Int64 {
        let sql = SQLText("SELECT max(\(name: StoreNames.key)) FROM \(name: entity.table)", .sqlite).sql
        return max(0, try connection.integer(sql) ?? 0)
    }

    /// The next key that the store would give out.
    private func noted(_ entity: EntityMapping, _ connection: SQLiteConnection) throws(StoreError) -> Int64 {
        let statement = try connection.statement("SELECT \"next\" FROM \"_store_keys\" WHERE \"entity\" = ?1")
        defer { statement.reset() }
        statement.bind(1, Int64(entity.number))
        return try statement.step() ? statement.integer(0) : 1
    }

    private func note(
        _ next: Int64, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) {
        let statement = try connection.statement(
            """
            INSERT INTO "_store_keys" ("entity", "next") VALUES (?1, ?2) \
            ON CONFLICT ("entity") DO UPDATE SET "next" = max("next", ?2)
            """)
        defer { statement.reset() }
        statement.bind(1, Int64(entity.number))
        statement.bind(2, next)
        try statement.run()
    }

    /// Sees to it that no key is given out that came with a row from elsewhere, even after that row is gone.
    func noteInserted(
        _ greatest: Int64, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) {
        let next = greatest == .max ? greatest : greatest + 1
        var isKnown = false
        change(entity.number) { tree in
            tree.block = tree.block?.clamped(to: next..<(.max))
            isKnown = next <= tree.end
        }
        if isKnown { return }
        try note(next, of: entity, connection)
        change(entity.number) { tree in
            tree.isFresh = true
            tree.end = next
        }
    }

    /// The blocks that were taken are this process's for good.
    func commit() {
        state.withLock { state in
            for (number, tree) in state where tree.isFresh { state[number]?.isFresh = false }
        }
    }

    /// The blocks that were taken are the store's again.
    func rollback() {
        state.withLock { state in
            for (number, tree) in state where tree.isFresh { state[number] = Tree(next: tree.next) }
        }
    }
}
#endif
