extension RowBatchBuilder {
    /// Builds the result of fetching a one-to-many relationship, whose rows reference their owners.
    ///
    /// - Parameter slot: The to-one relationship to the owner, which must not be null in any row.
    /// - Parameter positions: The position of each row in an ordered relationship.
    /// - Parameter order: Returns the indexes of the links in the desired order, without those to omit; nil to keep all links in their
    ///   order. The rows are arranged in the same order.
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the values exceed the size of a batch.
    package consuming func finish(
        linkedThrough slot: Int, positions: [Int64]?, inOrder order: ([RelatedRows.Link]) -> [Int]?
    ) throws(StoreError) -> RelatedRows {
        try checkCapacity()
        if let positions, positions.count != count { throw Self.abstractEntityRowsError }
        let links = links(through: slot, positions)
        guard let order = order(links) else { return RelatedRows(links: links, rows: makeBatch()) }
        return RelatedRows(links: order.map { links[$0] }, rows: makeBatch(inOrder: order))
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
                let place = model.layouts[entityIndex].slotLocations[slot]
                requirePrecondition(place.column >= 0, "The slot isn't a to-one relationship.")
                (column, offset) = (place.column, place.offset)
            }
            requirePrecondition(
                !RowBatch.isNull(row, column), "A member of a to-many relationship has no owner.")
            links.append(
                RelatedRows.Link(
                    owner: row.load(fromByteOffset: offset, as: Int64.self), target: header.key,
                    position: positions?[index] ?? 0))
        }
        return links
    }

    private static let abstractEntityRowsError = StoreError(
        .corrupt, "The table of an abstract entity has rows.",
        remedy: "Another program inserted them. Delete them.")
}
