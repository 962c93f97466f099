package import ContextCore

/// Writes links of many-to-many relationships and positions in ordered relationships.
package struct LinkWriter<Writer: RowWriter> {
    private let writer: Writer
    private let linkHistory: LinkHistoryRecorder<Writer.Reader>

    package init(_ writer: Writer) {
        self.writer = writer
        linkHistory = LinkHistoryRecorder(writer.reader)
    }

    /// Writes changes of links: removals first, because both sides of a relationship may have changed.
    package func write(_ changes: [ChangeSet.LinkChange], _ history: inout HistoryEncoder) throws(StoreError)
    {
        for change in changes where !change.removed.isEmpty {
            try linkHistory.recordLinks(try remove(change), change, &history)
        }
        for change in changes where !change.placed.isEmpty {
            try insertLinks(of: change)
            try linkHistory.recordLinks(change.placed, change, &history)
        }
        for change in changes where !change.moved.isEmpty {
            try linkHistory.recordLinks(try move(change), change, &history)
        }
    }

    /// Deletes the links of rows that are about to be deleted, which changes the rows on the other side.
    package func deleteLinks(
        of keys: [Int64], entityIndex: Int, _ history: inout HistoryEncoder
    ) throws(StoreError) {
        let collections = writer.reader.mapping.entities[entityIndex].collections
        for (slot, collection) in collections.sorted(by: { $0.key < $1.key }) {
            guard case .links(let links) = collection else { continue }
            let plan = RelatedPlan(entityIndex: entityIndex, slot: slot, owners: keys, includesRows: false)
            let lost = try writer.reader.related(plan).links
            if lost.isEmpty { continue }
            let change = ChangeSet.LinkChange(entityIndex: entityIndex, slot: slot, removed: lost)
            _ = try remove(lost, links, isOwnInverse: isOwnInverse(change))
            try linkHistory.recordLinks(lost, change, &history)
        }
    }

    private func collection(_ change: ChangeSet.LinkChange) -> CollectionMapping? {
        writer.reader.mapping.entities[change.entityIndex].collections[change.slot]
    }

    /// Removes links and returns those that existed.
    private func remove(_ change: ChangeSet.LinkChange) throws(StoreError) -> [RelatedRows.Link] {
        switch collection(change) {
        case .links(let links):
            return try remove(change.removed, links, isOwnInverse: isOwnInverse(change))
        case .children(let children):
            guard let position = children.position else { return [] }
            return try writer.clearPositions(of: change.removed, among: children, position: position)
        case nil: return []
        }
    }

    private func remove(
        _ removed: [RelatedRows.Link], _ links: CollectionMapping.Links, isOwnInverse: Bool
    ) throws(StoreError) -> [RelatedRows.Link] {
        let found = try writer.remove(removed, from: links)
        if isOwnInverse { _ = try writer.remove(removed.map(\.reversed), from: links) }
        return found
    }

    private func insertLinks(of change: ChangeSet.LinkChange) throws(StoreError) {
        switch collection(change) {
        case .links(let links):
            try writer.insertOrMoveLinks(change.placed, in: links)
            if isOwnInverse(change) {
                try writer.insertMirroredLinks(change.placed.map(\.reversed), in: links)
            }
        case .children(let children):
            guard let position = children.position else { return }
            try writer.setPositions(
                change.placed.map { RowPosition(key: $0.target, position: $0.position) }, position,
                of: children.table)
        case nil: break
        }
    }

    /// Changes the positions of links and returns those that existed.
    private func move(_ change: ChangeSet.LinkChange) throws(StoreError) -> [RelatedRows.Link] {
        guard let positions = collection(change)?.positions else { return [] }
        return try writer.move(change.moved, in: positions)
    }

    /// Whether each link also has a mirrored link.
    private func isOwnInverse(_ change: ChangeSet.LinkChange) -> Bool {
        let layout = writer.reader.mapping.model.layouts[change.entityIndex]
        guard let relationship = layout.properties[change.slot].relationship else { return false }
        return relationship.inverseSlot == change.slot
            && relationship.sourceIndex == relationship.destinationIndex
    }
}

extension RelatedRows.Link {
    /// The mirrored link, which has no position.
    fileprivate var reversed: RelatedRows.Link { RelatedRows.Link(owner: target, target: owner, position: 0) }
}
