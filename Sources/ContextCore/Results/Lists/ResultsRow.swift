import Synchronization

/// An object's place in a list of results: the values by which it is in a section and in the order, as bytes.
struct ResultsRow: Hashable {
    /// What the section of the row is; empty in a list without sections.
    let section: OrderedBytes
    /// What the row is ordered by within its section.
    let order: OrderedBytes
    /// The key of the object, which breaks ties.
    let key: Int64
    /// The position in the model of the object's entity.
    let entityIndex: Int
    /// When the object was last seen to have changed: the number of a look.
    var revision: Int

    private static let revisions = Atomic<Int>(0)

    /// The number of a look, greater than that of every look before in this process.
    static func nextRevision() -> Int { revisions.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Whether the row stands where another does.
    func stands(where other: ResultsRow) -> Bool {
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

/// A section among the others.
struct SectionEntry: Hashable, RankedElement {
    let bytes: OrderedBytes
    let value: StoredValue

    func precedes(_ other: SectionEntry) -> Bool { bytes < other.bytes }

    /// Where the section's first row stands, or would: keys begin at 1.
    var start: ResultsRow {
        ResultsRow(section: bytes, order: OrderedBytes(), key: 0, entityIndex: 0, revision: 0)
    }
}
