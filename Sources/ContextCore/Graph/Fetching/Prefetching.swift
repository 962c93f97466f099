/// Fetches the targets of relationships together with their owners, with one query per relationship.
struct Prefetching {
    let graph: ObjectGraph
    /// The source of prefetched rows.
    private let source: any PrefetchSource

    /// - Parameter source: The source of prefetched rows; nil for the context's parent.
    init(graph: ObjectGraph, source: (any PrefetchSource)? = nil) {
        self.graph = graph
        self.source = source ?? ParentSource(parent: graph.parent)
    }

    /// Checks that paths consist of relationships; the last name may also be an externally stored attribute.
    ///
    /// - Throws: ``StoreError/Code/unknownProperty``.
    func check(_ paths: [PropertyPath], from entity: EntityLayout) throws {
        for path in paths {
            var entity = entity
            for (index, name) in path.names.enumerated() {
                let isLast = index == path.names.count - 1
                if isLast, externalColumn(name, of: entity) != nil { break }
                entity = try relationship(name, of: entity).destination
            }
        }
    }

    /// Prefetches paths from the rows of a group, and returns the groups that were fetched.
    ///
    /// - Parameter isOfAll: Whether the group has all rows of the entity and its subentities.
    @discardableResult
    func prefetch(
        _ paths: [PropertyPath], from group: RowGroup, includesAllRows: Bool = false, entity: EntityLayout
    ) throws -> [RowGroup] {
        try prefetch(PrefetchTree(paths), from: [group], includeAllRows: includesAllRows, entity: entity)
    }

    private func prefetch(
        _ tree: PrefetchTree, from groups: [RowGroup], includeAllRows: Bool, entity: EntityLayout
    ) throws -> [RowGroup] {
        var all: [RowGroup] = []
        for (name, nested) in tree.branches {
            if let column = externalColumn(name, of: entity) {
                for group in groups { try load(column, of: group) }
                continue
            }
            let (slot, relationship, destination) = try self.relationship(name, of: entity)
            let fetched = try groups.compactMap { group in
                relationship.description.isToMany
                    ? try collections(slot, relationship, of: group, includesAllRows: includeAllRows, entity)
                    : try references(slot, relationship, of: group, destination)
            }
            for group in fetched {
                graph.identities.reserve(group.batch.count, rootIndex: destination.rootIndex)
            }
            all += fetched
            all += try prefetch(nested, from: fetched, includeAllRows: false, entity: destination)
        }
        return all
    }

    private func relationship(_ name: String, of entity: EntityLayout) throws -> (
        slot: Int, layout: RelationshipLayout, destination: EntityLayout
    ) {
        guard let property = entity.property(named: name), let relationship = property.relationship else {
            throw StoreError(
                .unknownProperty,
                "\(entity.name).\(name) can't be prefetched: it is neither a relationship nor an attribute with externalStorage.",
                remedy: "Remove the path from `prefetching`.")
        }
        return (property.slot, relationship, graph.model.layouts[relationship.destinationIndex])
    }

    /// Returns the column of an attribute with external storage; nil for other properties.
    private func externalColumn(_ name: String, of entity: EntityLayout) -> Int? {
        guard let property = entity.property(named: name), property.attribute?.externalThreshold != nil else {
            return nil
        }
        return property.columns.first
    }

    private func load(_ column: Int, of group: RowGroup) throws {
        try DeferredValueLoader(graph: graph).load(column, at: 0..<group.batch.count, of: group) {
            try source.externalValues($0)
        }
    }

    private func references(
        _ slot: Int, _ relationship: RelationshipLayout, of group: RowGroup, _ destination: EntityLayout
    ) throws -> RowGroup? {
        var keys: Set<Int64> = []
        for row in 0..<group.batch.count {
            let entity = graph.model.layouts[group.batch.entityIndex(at: row)]
            guard slot < entity.slotLocations.count else { continue }
            if let key = group.batch.reference(entity.slotLocations[slot], at: row) { keys.insert(key) }
        }
        if keys.isEmpty { return nil }
        let fetched = RowGroup(
            try source.rows(Array(keys), entityIndex: destination.index), site: group.site)
        group.addReferences(fetched, slot: slot, epoch: graph.epoch(of: relationship))
        return fetched
    }

    private func collections(
        _ slot: Int, _ relationship: RelationshipLayout, of group: RowGroup, includesAllRows: Bool,
        _ entity: EntityLayout
    ) throws -> RowGroup? {
        let owners = (0..<group.batch.count).map(group.batch.key(at:))
        if owners.isEmpty { return nil }
        // Other entities may share an inherited relationship, and with `noAction`, references may outlive their owners.
        let areAll =
            includesAllRows && relationship.sourceIndex == entity.index
            && relationship.description.deleteRule != .noAction
        let plan = RelatedPlan(entityIndex: entity.index, slot: slot, owners: owners, ownersAreAll: areAll)
        let rows = try source.related(plan)
        return group.addLinks(rows, owners: owners, slot: slot, epoch: graph.epoch(of: relationship))
    }
}

/// Paths to prefetch, grouped by their common prefixes.
private struct PrefetchTree {
    private(set) var branches: [(name: String, nested: PrefetchTree)] = []

    init(_ paths: [PropertyPath] = []) {
        for path in paths { insert(path.names[...]) }
    }

    private mutating func insert(_ names: ArraySlice<String>) {
        guard let name = names.first else { return }
        let index = branches.firstIndex { $0.name == name } ?? branches.count
        if index == branches.count { branches.append((name, PrefetchTree())) }
        branches[index].nested.insert(names.dropFirst())
    }
}
