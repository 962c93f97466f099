/// A batch of rows as one context holds it, with what was fetched along for its relationships.
///
/// Objects of one fetch share a group. Touching a relationship of one of them loads it for all of them, and the answer is kept
/// here until the others ask. What was fetched before the context's last save of what it is about, in an earlier *epoch*, doesn't
/// count any more.
final class RowGroup {
    let batch: RowBatch
    /// Where in the program the fetch was called that this came of.
    let site: CallSite?
    /// The rows that a to-one relationship's keys lead to, by slot.
    private var references: [Int: Dated<RowIndex>] = [:]
    /// What a to-many relationship leads to, by slot.
    private var collections: [Int: Dated<LoadedLinks>] = [:]
    /// Values that lay outside of their rows, as far as they have been loaded.
    private var loadedValues: [ValuePlace: StoredValue] = [:]
    /// Where the search for siblings that are not loaded goes on, by slot.
    var cursors: [Int: Int] = [:]
    /// Whether it is more than a place for the objects that have no row.
    let hasRows: Bool
    // The objects that hold the group, and through it their graph, are counted in the open: they come and go with their context, on
    // its thread, as its map of identities has it too, and to count atomically took a twentieth of a fetch. As long as there are any,
    // they have one counted reference to the group together, and one to the graph.
    #if !DEBUG
    @exclusivity(unchecked)
    #endif
    private var objectCount = 0
    private var graph: Unmanaged<ObjectGraph>?

    init(_ batch: RowBatch, site: CallSite? = nil) {
        self.batch = batch
        self.site = site
        hasRows = true
    }

    /// A place for the objects that have no row.
    init() {
        batch = .none
        site = nil
        hasRows = false
    }

    /// Counts another object that holds a group.
    @inline(__always)
    static func gain(_ group: Unmanaged<RowGroup>, in graph: Unmanaged<ObjectGraph>) {
        group.withUncounted { group in
            if group.objectCount == 0 { group.begin(in: graph) }
            assert(
                group.graph?.toOpaque() == graph.toOpaque(), "A group's objects have to be of one graph.")
            group.objectCount &+= 1
        }
    }

    /// Counts an object less; the last lets go of the group, and of the graph.
    @inline(__always)
    static func lose(_ group: Unmanaged<RowGroup>) {
        let isLast = group.withUncounted { group in
            assert(group.objectCount > 0, "More objects are lost than were gained.")
            group.objectCount &-= 1
            return group.objectCount == 0
        }
        if isLast { end(group) }
    }

    @inline(never)
    private func begin(in graph: Unmanaged<ObjectGraph>) {
        self.graph = graph.retain()
        // Retained, as is the graph, until the last object is lost.
        _ = Unmanaged.passRetained(self)
    }

    @inline(never)
    private static func end(_ group: Unmanaged<RowGroup>) {
        let graph = group.withUncounted { $0.graph.take() }
        group.release()
        graph?.release()
    }

    /// The graph whose objects hold the group; there has to be one.
    @inline(__always)
    var graphOfObjects: Unmanaged<ObjectGraph> {
        assert(objectCount > 0, "Nobody keeps the group's graph.")
        // An object that asks is counted, and the first that was counted has set it.
        return graph.unsafelyUnwrapped
    }

    private struct Dated<Value> {
        let epoch: Int
        var value: Value
    }

    func reference(_ key: Int64, slot: Int, epoch: Int) -> (RowGroup, Int32)? {
        guard let known = references[slot], known.epoch == epoch else { return nil }
        return known.value[key]
    }

    func addReferences(_ group: RowGroup, slot: Int, epoch: Int) {
        if references[slot]?.epoch != epoch {
            references[slot] = Dated(epoch: epoch, value: RowIndex())
            cursors[slot] = nil
        }
        references[slot]?.value.add(group)
    }

    /// What a to-many relationship of one owner leads to, if that has been fetched.
    func links(of owner: Int64, slot: Int, epoch: Int) -> (
        links: ArraySlice<RelatedRows.Link>, targets: RowIndex
    )? {
        guard let known = collections[slot], known.epoch == epoch else { return nil }
        return known.value.links(of: owner)
    }

    /// Keeps what a to-many relationship of some owners leads to.
    ///
    /// Returns the group of the rows at the other end.
    @discardableResult
    func addLinks(_ rows: RelatedRows, owners: [Int64], slot: Int, epoch: Int) -> RowGroup? {
        if collections[slot]?.epoch != epoch {
            collections[slot] = Dated(epoch: epoch, value: LoadedLinks())
        }
        return collections[slot]?.value.add(rows, owners: owners, site: site)
    }

    /// Whether a value that lay outside of its row has been loaded.
    var hasLoadedValues: Bool { !loadedValues.isEmpty }

    /// A value that lay outside of its row, if it has been loaded.
    func loadedValue(_ column: Int, at row: Int) -> StoredValue? {
        loadedValues[ValuePlace(row: row, column: column)]
    }

    /// Keeps a value that lay outside of its row, until the row is fetched again.
    func keepLoaded(_ value: StoredValue?, _ column: Int, at row: Int) {
        loadedValues[ValuePlace(row: row, column: column)] = value
    }

    /// Whether anything was fetched along.
    var hasRelated: Bool { !references.isEmpty || !collections.isEmpty }

    /// Forgets what was fetched along, because the store has moved on.
    func forgetRelated() {
        references = [:]
        collections = [:]
        cursors = [:]
    }
}

private struct ValuePlace: Hashable {
    let row: Int
    let column: Int
}

/// The links of one to-many relationship, for the owners that they were fetched for.
private struct LoadedLinks {
    private var ranges: [Int64: Range<Int>] = [:]
    private var links: [RelatedRows.Link] = []
    private let targets = RowIndex()

    mutating func add(_ rows: RelatedRows, owners: [Int64], site: CallSite?) -> RowGroup? {
        for owner in owners { ranges[owner] = 0..<0 }
        let offset = links.count
        if links.isEmpty { links = rows.links } else { links += rows.links }
        var start = offset
        while start < links.count {
            let owner = links[start].owner
            let end = links[start...].firstIndex { $0.owner != owner } ?? links.count
            ranges[owner] = start..<end
            start = end
        }
        guard let batch = rows.rows else { return nil }
        let group = RowGroup(batch, site: site)
        targets.add(group)
        return group
    }

    func links(of owner: Int64) -> (ArraySlice<RelatedRows.Link>, RowIndex)? {
        ranges[owner].map { (links[$0], targets) }
    }
}
