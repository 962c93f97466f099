/// An immutable copy of a controller's list: the identifiers of its rows, ordered and sectioned.
///
/// It is `Sendable`, and creating one is O(1).
public struct ResultsSnapshot: Sendable {
    let list: ResultsList
    let rowIdentifiers: RowIdentifiers
    /// The number of rows of the request, inside and outside the controller's window.
    public let totalCount: Int

    /// The number of rows.
    public var count: Int { list.count }
    /// Whether there are no rows.
    public var isEmpty: Bool { list.count == 0 }
    /// Whether the rows are divided into sections, which steps of a difference insert and delete.
    ///
    /// A list without sections has one section, which no step inserts or deletes.
    public var isSectioned: Bool { list.isSectioned }
    /// The sections in order; a list without sections has one.
    public var sections: [ResultsSection] { list.sections.elements.map(ResultsSection.init) }
    /// The identifiers of all rows, in order.
    public var objectIDs: [ObjectID] { list.rows.elements.map(rowIdentifiers.id) }

    /// Returns the number of rows in a section.
    public func count(inSection index: Int) -> Int { list.range(ofSection: index).count }

    /// Returns the identifiers of a section's rows, in order.
    public func objectIDs(inSection index: Int) -> [ObjectID] {
        list.rows.elements(in: list.range(ofSection: index)).map(rowIdentifiers.id)
    }

    /// The identifier of the row with an index.
    public subscript(index: Int) -> ObjectID { rowIdentifiers.id(list.rows[index]) }

    /// The identifier of the row at a position.
    public subscript(position: ResultsPosition) -> ObjectID { self[list.rank(at: position)] }

    /// Returns the position of an object's row; nil if the object has none.
    public func position(of id: ObjectID) -> ResultsPosition? {
        guard rowIdentifiers.contains(id), let rank = list.rank(of: id.key) else { return nil }
        let location = list.location(atRank: rank)
        return ResultsPosition(section: location.section, row: location.row)
    }

    /// Returns the difference from an older list.
    ///
    /// For two lists of one controller, the cost grows with the number of differences, not of rows.
    public func difference(from old: ResultsSnapshot) -> ResultsDifference {
        ResultsDifference(
            steps: DifferenceSteps(from: old, to: self).steps(), snapshot: self, oldTotalCount: old.totalCount
        )
    }
}

/// Converts the keys of rows to object identifiers.
struct RowIdentifiers: Sendable {
    let identifiers: IdentifierSpaces
    let root: EntityLayout

    func id(_ row: ResultsRow) -> ObjectID { identifiers.id(of: row.key, in: root) }

    /// Whether an identifier belongs to the inheritance tree of the rows.
    func contains(_ id: ObjectID) -> Bool { identifiers.id(of: id.key, in: root) == id }
}
