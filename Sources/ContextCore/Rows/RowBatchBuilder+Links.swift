extension RowBatchBuilder {
    /// Gives up the rows of a one-to-many relationship to an answer, of which each row says whose it is.
    ///
    /// - Parameter slot: The slot that refers to the owner; no row may be without one.
    /// - Parameter positions: Where each row stands, in an ordered relationship.
    /// - Parameter order: Answers the places of the links in the wanted order, without those to be left out; nil to keep all as they are. Rows
    ///   are put in the same order.
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the values were more than a batch can hold.
    package consuming func finish(
        linkedThrough slot: Int, positions: [Int64]?, inOrder order: ([RelatedRows.Link]) -> [Int]?
    ) throws(StoreError) -> RelatedRows {
        try checkRoom()
        if let positions, positions.count != count { throw Self.rowsOfNone }
        let links = links(through: slot, positions)
        guard let order = order(links) else { return RelatedRows(links: links, rows: batch()) }
        return RelatedRows(links: order.map { links[$0] }, rows: batch(inOrder: order))
    }

    private func links(through slot: Int, _ positions: [Int64]?) -> [RelatedRows.Link] {
        var (entityIndex, column, offset) = (-1, 0, 0)
        var links: [RelatedRows.Link] = []
        links.reserveCapacity(count)
        for index in 0..<count {
            let row = row(index)
            let header = row.load(as: PackedRowHeader.self)
            if header.entityIndex != entityIndex {
                entityIndex = header.entityIndex
                let place = model.layouts[entityIndex].places[slot]
                requirePrecondition(place.column >= 0, "The slot refers to nobody.")
                (column, offset) = (place.column, place.offset)
            }
            requirePrecondition(!RowBatch.isNull(row, column), "A row that nobody owns was found.")
            links.append(
                RelatedRows.Link(
                    owner: row.load(fromByteOffset: offset, as: Int64.self), target: header.key,
                    position: positions?[index] ?? 0))
        }
        return links
    }

    private static let rowsOfNone = StoreError(
        .corrupt, "The table of an abstract entity has rows.",
        remedy: "Remove them: another program must have made them.")
}
