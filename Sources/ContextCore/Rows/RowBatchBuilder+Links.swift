extension RowBatchBuilder {
    /// Gives up the rows of a one-to-many relationship to an answer, of which each row says whose it is.
    ///
    /// - Parameter slot: The slot that refers to the owner; no row may be without one.
    /// - Parameter positions: Where each row stands, in an ordered relationship.
    /// - Parameter order: In which order links stand, by their places, and with them the rows: whoever takes in one after the other then
    ///   finds them so. Nil where they stand as they are; those that it leaves out are left out.
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the values were more than a batch can hold.
    package consuming func finish(
        linkedThrough slot: Int, positions: [Int64]? = nil, inOrder order: ([RelatedRows.Link]) -> [Int]?
    ) throws(StoreError) -> RelatedRows {
        try checkRoom()
        var links = links(through: slot, positions)
        if let order = order(links) {
            links = order.map { links[$0] }
            arrange(order)
        }
        return RelatedRows(links: links, rows: batch())
    }

    private func links(through slot: Int, _ positions: [Int64]?) -> [RelatedRows.Link] {
        var (known, offset) = (-1, 0)
        var links: [RelatedRows.Link] = []
        links.reserveCapacity(count)
        for index in 0..<count {
            let row = row(index)
            let (key, entityIndex) = RowBatch.keyAndEntity(row)
            if entityIndex != known {
                offset = model.layouts[entityIndex].places[slot].offset
                known = entityIndex
            }
            links.append(
                RelatedRows.Link(
                    owner: row.load(fromByteOffset: offset, as: Int64.self), target: key,
                    position: positions?[index] ?? 0))
        }
        return links
    }
}
