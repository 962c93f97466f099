/// Keys that were set aside in blocks for the new objects of long-lived contexts, so that not every save has to ask for its own.
///
/// What is left of a block when the store is closed is never given out.
final class KeyReserve: Sendable {
    /// How many keys are set aside at a time.
    static let blockSize = 1024

    private let blocks = Guarded<[Int: Range<Int64>]>([:])

    /// Takes keys of an inheritance tree from its block; nil if there are not so many left.
    func take(_ count: Int, rootIndex: Int) -> Range<Int64>? {
        blocks.withLock { blocks in
            guard let block = blocks[rootIndex], block.count >= count else { return nil }
            let end = block.lowerBound + Int64(count)
            blocks[rootIndex] = end..<block.upperBound
            return block.lowerBound..<end
        }
    }

    /// Takes keys from a new block, and keeps the rest of it, unless more is left of another.
    func take(_ count: Int, from block: Range<Int64>, rootIndex: Int) -> Range<Int64> {
        let end = block.lowerBound + Int64(count)
        let rest = end..<block.upperBound
        blocks.withLock { blocks in
            if rest.count > blocks[rootIndex]?.count ?? 0 { blocks[rootIndex] = rest }
        }
        return block.lowerBound..<end
    }
}
