/// A batch of rows in one context, with the rows and links that were fetched for its relationships.
///
/// Objects of one fetch share a group. Accessing a relationship of one object loads it for all of them, and the group
/// caches the results until the other objects need them. Results become invalid with the next *epoch*, which begins
/// when the context saves or merges changes of the entities concerned.
final class RowGroup {
    let batch: RowBatch
    /// The source location of the fetch.
    let site: CallSite?
    /// The rows of a to-one relationship's targets, by slot.
    private var references: [Int: EpochValue<RowIndex>] = [:]
    /// The links of a to-many relationship, by slot.
    private var collections: [Int: EpochValue<LoadedLinks>] = [:]
    /// Externally stored values that have been loaded.
    private var loadedValues: [ValueLocation: StoredValue] = [:]
    /// The row at which the search for siblings that are not loaded continues, by slot.
    var cursors: [Int: Int] = [:]
    /// Whether this is a group of rows, and not the shared group of objects without a row.
    let hasRows: Bool
    // The objects that use the group, and through it the graph, are counted without atomic operations, which took 5% of
    // a fetch: objects are only created and released in the isolation of their context, like the entries of its
    // identity map. Together they retain the group and the graph once.
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

    /// Creates the shared group of objects without a row.
    init() {
        batch = .none
        site = nil
        hasRows = false
    }

    /// Counts an object that uses a group.
    @inline(__always)
    static func addObject(_ group: Unmanaged<RowGroup>, in graph: Unmanaged<ObjectGraph>) {
        group.withUnretained { group in
            if group.objectCount == 0 { group.attach(in: graph) }
            assert(
                group.graph?.toOpaque() == graph.toOpaque(),
                "All objects of a group must belong to one graph.")
            group.objectCount &+= 1
        }
    }

    /// Uncounts an object that no longer uses a group; the last object releases the group and the graph.
    @inline(__always)
    static func removeObject(_ group: Unmanaged<RowGroup>) {
        let isLast = group.withUnretained { group in
            assert(group.objectCount > 0, "A group was released more often than it was retained.")
            group.objectCount &-= 1
            return group.objectCount == 0
        }
        if isLast { end(group) }
    }

    @inline(never)
    private func attach(in graph: Unmanaged<ObjectGraph>) {
        self.graph = graph.retain()
        // Retained, like the graph, until the last object releases it.
        _ = Unmanaged.passRetained(self)
    }

    @inline(never)
    private static func end(_ group: Unmanaged<RowGroup>) {
        let graph = group.withUnretained { $0.graph.take() }
        group.release()
        graph?.release()
    }

    /// The graph of the group's objects; there must be at least one object.
    @inline(__always)
    var graphOfObjects: Unmanaged<ObjectGraph> {
        assert(objectCount > 0, "A group without objects has no graph.")
        // The caller is a counted object, and the first counted object has set it.
        return graph.unsafelyUnwrapped
    }

    private struct EpochValue<Value> {
        let epoch: Int
        var value: Value
    }

    func reference(_ key: Int64, slot: Int, epoch: Int) -> (RowGroup, Int32)? {
        guard let known = references[slot], known.epoch == epoch else { return nil }
        return known.value[key]
    }

    func addReferences(_ group: RowGroup, slot: Int, epoch: Int) {
        if references[slot]?.epoch != epoch {
            references[slot] = EpochValue(epoch: epoch, value: RowIndex())
            cursors[slot] = nil
        }
        references[slot]?.value.add(group)
    }

    /// Returns the links of a to-many relationship of one owner, if they have been fetched.
    func links(of owner: Int64, slot: Int, epoch: Int) -> (
        links: ArraySlice<RelatedRows.Link>, targets: RowIndex
    )? {
        guard let known = collections[slot], known.epoch == epoch else { return nil }
        return known.value.links(of: owner)
    }

    /// Stores the links of a to-many relationship of the given owners.
    ///
    /// - Returns: The group of the targets' rows.
    @discardableResult
    func addLinks(_ rows: RelatedRows, owners: [Int64], slot: Int, epoch: Int) -> RowGroup? {
        if collections[slot]?.epoch != epoch {
            collections[slot] = EpochValue(epoch: epoch, value: LoadedLinks())
        }
        return collections[slot]?.value.add(rows, owners: owners, site: site)
    }

    /// Whether an externally stored value has been loaded.
    var hasLoadedValues: Bool { !loadedValues.isEmpty }

    /// Returns an externally stored value, if it has been loaded.
    func loadedValue(_ column: Int, at row: Int) -> StoredValue? {
        loadedValues[ValueLocation(row: row, column: column)]
    }

    /// Stores an externally stored value that has been loaded; nil removes it.
    func storeLoadedValue(_ value: StoredValue?, _ column: Int, at row: Int) {
        loadedValues[ValueLocation(row: row, column: column)] = value
    }

    /// Whether relationships have been fetched.
    var hasFetchedRelationships: Bool { !references.isEmpty || !collections.isEmpty }

    /// Removes the fetched relationships, because the store has changed.
    func removeFetchedRelationships() {
        references = [:]
        collections = [:]
        cursors = [:]
    }
}

private struct ValueLocation: Hashable {
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
