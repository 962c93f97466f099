import ContextCore

/// The keys of an entity's own objects, without subentities, in ascending order and in chunks.
struct KeyChunks: Sequence {
    /// The number of keys that a query lists, unless the rows are so large that fewer are read at once.
    static let defaultSize = 1000

    private let keys: [Int64]
    private let size: Int

    /// Reads all keys of an entity.
    ///
    /// - Parameters:
    ///   - size: The number of keys per chunk.
    ///   - page: The number of rows per query, which limits memory: a fetched row is several times as large as its key.
    init(
        _ entity: EntityLayout, _ session: any ReadSession, size: Int = KeyChunks.defaultSize,
        page: Int = 50_000
    ) throws {
        var keys: [Int64] = []
        var isComplete = false
        while !isComplete {
            let batch = try session.fetch(Self.plan(entity, after: keys.last, page))
            for row in 0..<batch.count { keys.append(batch.key(at: row)) }
            isComplete = batch.count < page
        }
        if let first = keys.first, first <= 0 { throw Self.strayRowError(first, of: entity) }
        self.keys = keys
        self.size = size
    }

    private static func plan(_ entity: EntityLayout, after key: Int64?, _ limit: Int) -> FetchPlan {
        let last = key.map {
            ResolvedExpression(
                .constant(.int($0)), type: .object(entityIndex: entity.index), isNullable: false)
        }
        return FetchPlan(
            entityIndex: entity.index, includesSubentities: false,
            predicate: last.map { .compare(.key(of: entity), .greater, $0) }, limit: limit, columns: [])
    }

    /// Returns the error for a key below 1, which only another program can have written: contexts use such keys for unsaved objects.
    private static func strayRowError(_ key: Int64, of entity: EntityLayout) -> StoreError {
        StoreError(
            .corrupt, "A row of \(entity.name) has the key \(key), but keys must be greater than zero.",
            remedy: "Another program wrote the row. Give it a key greater than all others, or delete it.")
    }

    /// Returns the greatest key of an entity's objects, including those of its subentities; nil if there are none.
    static func maxKey(of entity: EntityLayout, _ session: any ReadSession) throws -> Int64? {
        let order = ResolvedSortKey(.key(of: entity), isDescending: true, nullsFirst: false)
        let batch = try session.fetch(
            FetchPlan(entityIndex: entity.index, order: [order], limit: 1, columns: []))
        return batch.count == 0 ? nil : batch.key(at: 0)
    }

    /// The number of keys.
    var count: Int { keys.count }
    /// All keys.
    var all: [Int64] { keys }

    func makeIterator() -> some IteratorProtocol<[Int64]> {
        keys.chunks(ofCount: size).lazy.map { Array($0) }.makeIterator()
    }
}

extension ResolvedExpression {
    /// Returns the expression for the key of an entity's objects.
    static func key(of entity: EntityLayout) -> ResolvedExpression {
        ResolvedExpression(
            .property(ResolvedProperty(scope: 0, hops: [], entityIndex: entity.index, target: .key)),
            type: .object(entityIndex: entity.index), isNullable: false)
    }
}
