#if SQLite
import ContextCore
import SQLStore

/// Allocates keys for new rows from blocks that are reserved in the store.
///
/// A mutex guards the rest of each tree's block and its next key; only the write session uses them. When a transaction is rolled back,
/// the blocks that it reserved belong to the store again, so their rest is discarded; keys that were allocated from them are not
/// allocated again.
final class KeyBlocks: Sendable {
    /// The keys of one inheritance tree.
    private struct Tree {
        /// The rest of its block.
        var block: Range<Int64>?
        /// The first key that this process has not allocated.
        var next: Int64 = 1
        /// The key from which the store gives keys to other processes.
        var end: Int64 = 0
        /// Whether the open transaction reserved the block.
        var isUncommitted = false
    }

    /// The trees by the number of their root entity.
    private typealias State = [Int: Tree]

    /// The smallest number of keys to reserve, so that saves of single objects seldom need a reservation.
    private static let blockSize = 64

    private let state = Guarded(State())

    /// Allocates consecutive keys.
    func reserve(
        _ count: Int, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64> {
        let number = entity.number
        let left = try usableKeys(entity, connection)
        if let left, left.count >= count {
            return allocate(left.lowerBound..<left.lowerBound + Int64(count), of: left, number)
        }
        let block = try reserveBlock(max(count, Self.blockSize), of: entity, connection)
        updateTree(number) { tree in
            tree.isUncommitted = true
            tree.end = block.upperBound
        }
        if let left, left.upperBound == block.lowerBound {
            let joined = left.lowerBound..<block.upperBound
            return allocate(joined.lowerBound..<joined.lowerBound + Int64(count), of: joined, number)
        }
        return allocate(block.lowerBound..<block.lowerBound + Int64(count), of: block, number)
    }

    private func updateTree(_ number: Int, _ body: (inout Tree) -> Void) {
        state.withLock { body(&$0[number, default: Tree()]) }
    }

    private func allocate(_ keys: Range<Int64>, of block: Range<Int64>, _ number: Int) -> Range<Int64> {
        updateTree(number) { tree in
            tree.block = keys.upperBound..<block.upperBound
            tree.next = keys.upperBound
        }
        return keys
    }

    /// Returns the rest of a tree's block, or nil if another program has used a key of it.
    private func usableKeys(
        _ entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64>? {
        guard let left = state.withLock({ $0[entity.number]?.block }), !left.isEmpty else { return nil }
        if connection.cachedState?.usableBlocks.contains(entity.number) == true { return left }
        let statement = try connection.statement(query(entity))
        defer { statement.reset() }
        statement.bind(1, left.lowerBound)
        statement.bind(2, left.upperBound)
        if try statement.step() { return nil }
        connection.cachedState?.usableBlocks.append(entity.number)
        return left
    }

    /// Returns the query for a row of a tree with a key in a range.
    private func query(_ entity: EntityMapping) -> String {
        SQLText(
            """
            SELECT 1 FROM \(name: entity.table) \
            WHERE \(name: StoreNames.key) >= \(.parameter(.key)) AND \(name: StoreNames.key) < \(.parameter(.key)) LIMIT 1
            """, .sqlite
        ).sql
    }

    /// Reserves a block in the store, after all keys that were ever allocated and all keys of rows.
    private func reserveBlock(
        _ size: Int, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Range<Int64> {
        let known = state.withLock { $0[entity.number]?.next } ?? 1
        let first = max(
            known, try readNextKey(entity, connection),
            try nextKey(after: greatestKey(entity, connection), of: entity))
        let (end, overflow) = first.addingReportingOverflow(Int64(size))
        if overflow { throw Self.keysExhaustedError(entity) }
        try writeNextKey(end, of: entity, connection)
        return first..<end
    }

    private func nextKey(after key: Int64, of entity: EntityMapping) throws(StoreError) -> Int64 {
        if key == .max { throw Self.keysExhaustedError(entity) }
        return key + 1
    }

    private static func keysExhaustedError(_ entity: EntityMapping) -> StoreError {
        StoreError(
            .database,
            "\(entity.layout.name) has no keys left for new objects, because an existing row has the key \(Int64.max) or one near it.",
            remedy: "Copy the objects into a new store, and give them smaller keys there.")
    }

    /// Returns the largest key of the existing rows.
    private func greatestKey(
        _ entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) -> Int64 {
        let sql = SQLText("SELECT max(\(name: StoreNames.key)) FROM \(name: entity.table)", .sqlite).sql
        return max(0, try connection.integer(sql) ?? 0)
    }

    /// Returns the next key that the store would give out.
    private func readNextKey(_ entity: EntityMapping, _ connection: SQLiteConnection) throws(StoreError)
        -> Int64
    {
        let statement = try connection.statement("SELECT \"next\" FROM \"_store_keys\" WHERE \"entity\" = ?1")
        defer { statement.reset() }
        statement.bind(1, Int64(entity.number))
        return try statement.step() ? statement.integer(0) : 1
    }

    private func writeNextKey(
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

    /// Ensures that the key of a row that was inserted with its own key is never allocated, even after the row is deleted.
    func recordInsertedKey(
        _ greatestKey: Int64, of entity: EntityMapping, _ connection: SQLiteConnection
    ) throws(StoreError) {
        let next = greatestKey == .max ? greatestKey : greatestKey + 1
        var isKnown = false
        updateTree(entity.number) { tree in
            tree.block = tree.block?.clamped(to: next..<(.max))
            isKnown = next <= tree.end
        }
        if isKnown { return }
        try writeNextKey(next, of: entity, connection)
        updateTree(entity.number) { tree in
            tree.isUncommitted = true
            tree.end = next
        }
    }

    /// Keeps the reserved blocks after the transaction was committed.
    func commit() {
        state.withLock { state in
            for (number, tree) in state where tree.isUncommitted { state[number]?.isUncommitted = false }
        }
    }

    /// Discards the reserved blocks after the transaction was rolled back.
    func rollback() {
        state.withLock { state in
            for (number, tree) in state where tree.isUncommitted { state[number] = Tree(next: tree.next) }
        }
    }
}
#endif
