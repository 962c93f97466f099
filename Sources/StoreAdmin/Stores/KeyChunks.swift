import ContextCore

/// The keys of an entity's own objects, in order, some at a time.
struct KeyChunks: Sequence {
    private let keys: [Int64]
    private let size: Int

    init(_ entity: EntityLayout, _ session: any ReadSession, size: Int, after: Int64 = 0) throws {
        let batch = try session.fetch(
            FetchPlan(entityIndex: entity.index, includesSubentities: false, columns: []))
        keys = (0..<batch.count).map { batch.key(at: $0) }.filter { $0 > after }
        self.size = size
    }

    /// How many keys there are.
    var count: Int { keys.count }
    /// All of them.
    var all: [Int64] { keys }

    func makeIterator() -> AnyIterator<[Int64]> {
        var start = 0
        return AnyIterator {
            guard start < keys.count else { return nil }
            defer { start += size }
            return Array(keys[start..<Swift.min(start + size, keys.count)])
        }
    }
}
