import Synchronization

/// An object's row in a list: its section and sort values, encoded as bytes whose order is the sort order.
struct ResultsRow: Hashable {
    /// The encoded value of the section; empty in a list without sections.
    let section: OrderedBytes
    /// The encoded sort values within the section.
    let order: OrderedBytes
    /// The key of the object, which breaks ties.
    let key: Int64
    /// The index of the object's entity in the model.
    let entityIndex: Int
    /// The number of the update in which the object last changed.
    var revision: Int

    private static let revisions = Atomic<Int>(0)

    /// Returns a number for an update, greater than all earlier ones of this process.
    static func nextRevision() -> Int { revisions.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether the row has the same sort position as another.
    func hasSamePosition(as other: ResultsRow) -> Bool {
        key == other.key && section == other.section && order == other.order
    }
}

extension ResultsRow: RankedElement {
    func precedes(_ other: ResultsRow) -> Bool {
        if section != other.section { return section < other.section }
        if order != other.order { return order < other.order }
        return TemporaryKeys.precedes(key, other.key)
    }
}

/// A section of a list.
struct SectionEntry: Hashable, RankedElement {
    let bytes: OrderedBytes
    let value: StoredValue

    func precedes(_ other: SectionEntry) -> Bool { bytes < other.bytes }

    /// The lower bound of the section's rows; keys start at 1.
    var start: ResultsRow {
        ResultsRow(section: bytes, order: OrderedBytes(), key: 0, entityIndex: 0, revision: 0)
    }
}
