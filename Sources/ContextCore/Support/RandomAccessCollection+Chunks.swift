extension RandomAccessCollection {
    /// Returns the elements in consecutive chunks of the given size; the last one may be smaller.
    package func chunks(ofCount size: Int) -> [SubSequence] {
        var chunks: [SubSequence] = []
        chunks.reserveCapacity((count + size - 1) / size)
        var start = startIndex
        while start != endIndex {
            let end = index(start, offsetBy: size, limitedBy: endIndex) ?? endIndex
            chunks.append(self[start..<end])
            start = end
        }
        return chunks
    }
}
