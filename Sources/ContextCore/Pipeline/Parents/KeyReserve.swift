/// Keys reserved in blocks for new objects of long-lived contexts, so that most saves need no request for keys.
///
/// Keys that are unused when the store closes are never assigned.
final class KeyReserve: Sendable {
    /// The number of keys reserved at a time.
    static let blockSize = 1024

    private let blocks = Guarded<[Int: Range<Int64>]>([:])

    /// Removes keys from the block of an inheritance tree; returns nil if the block has fewer keys.
    func dequeueKeys(_ count: Int, rootIndex: Int) -> Range<Int64>? {
        blocks.withLock { blocks in
            guard let block = blocks[rootIndex], block.count >= count else { return nil }
            let end = block.lowerBound + Int64(count)
            blocks[rootIndex] = end..<block.upperBound
            return block.lowerBound..<end
        }
    }

    /// Removes keys from a new block, which replaces the current block if it has more keys left.
    func dequeueKeys(_ count: Int, from block: Range<Int64>, rootIndex: Int) -> Range<Int64> {
        let end = block.lowerBound + Int64(count)
        let rest = end..<block.upperBound
        blocks.withLock { blocks in
            if rest.count > blocks[rootIndex]?.count ?? 0 { blocks[rootIndex] = rest }
        }
        return block.lowerBound..<end
    }
}
