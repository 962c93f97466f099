/// The rows of some results at one moment, by identifier, in their order and their sections.
///
/// It is a value that crosses to every thread. Taking one costs nothing, however many rows there are.
public struct ResultsSnapshot: Sendable {
    let list: ResultsList
    let naming: RowNaming
    /// How many rows the request means, whether or not they are in the controller's window.
    public let totalCount: Int

    /// How many rows there are.
    public var count: Int { list.count }
    /// Whether there is no row.
    public var isEmpty: Bool { list.count == 0 }
    /// Whether the rows are divided into sections, which steps insert and delete.
    ///
    /// A list that isn't has one section from the beginning, which no step inserts or deletes.
    public var isSectioned: Bool { list.isSectioned }
    /// The sections in their order; one in a list without sections.
    public var sections: [ResultsSection] { list.sections.elements.map(ResultsSection.init) }
    /// The identifiers of all rows, in their order.
    public var objectIDs: [ObjectID] { list.rows.elements.map(naming.id) }

    /// How many rows a section has.
    public func count(inSection index: Int) -> Int { list.range(ofSection: index).count }

    /// The identifiers of a section's rows, in their order.
    public func objectIDs(inSection index: Int) -> [ObjectID] {
        list.rows.elements(in: list.range(ofSection: index)).map(naming.id)
    }

    /// The identifier of the row that so many others precede.
    public subscript(index: Int) -> ObjectID { naming.id(list.rows[index]) }

    /// The identifier of the row at a place.
    public subscript(position: ResultsPosition) -> ObjectID { self[list.rank(at: position)] }

    /// Where an object's row is; nil when it has none.
    public func position(of id: ObjectID) -> ResultsPosition? {
        guard naming.names(id), let rank = list.rank(of: id.key) else { return nil }
        let place = list.place(atRank: rank)
        return ResultsPosition(section: place.section, row: place.row)
    }

    /// What makes this list of an older one.
    ///
    /// It costs as much as there are differences, where both are of one controller.
    public func difference(from old: ResultsSnapshot) -> ResultsDifference {
        ResultsDifference(
            steps: StepMaking(from: old, to: self).steps(), snapshot: self, oldTotalCount: old.totalCount)
    }
}

/// Makes identifiers of rows.
struct RowNaming: Sendable {
    let identifiers: IdentifierSpaces
    let root: EntityLayout

    func id(_ row: ResultsRow) -> ObjectID { identifiers.id(of: row.key, in: root) }

    /// Whether an identifier is one of the inheritance tree that the rows are of.
    func names(_ id: ObjectID) -> Bool { identifiers.id(of: id.key, in: root) == id }
}
