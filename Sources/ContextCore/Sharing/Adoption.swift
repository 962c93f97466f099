/// Takes what a proxy's request was answered with into the proxy's graph, so that all of it shows the moment of the answer.
///
/// Nothing else is asked for. What was told before the answer and is not in it is fetched when it is touched; what has been told since
/// then waits.
struct Adoption {
    let graph: ObjectGraph

    /// The group of the rows that were asked for.
    func adopt(_ answer: FetchAnswer, _ paths: [PropertyPath], entity: EntityLayout) throws -> RowGroup {
        try ChangeMerging(graph: graph, isLazy: true).pull(through: answer.told)
        let group = RowGroup(answer.rows)
        let along = try Prefetching(graph: graph, source: RecordedSource(answer.prefetched))
            .prefetch(paths, from: group, entity: entity)
        var seen: Set<ManagedObject> = []
        // The first group that an object is in is the one with what was asked for along with it.
        for group in [group] + along where group.batch.loadedColumns == nil {
            for row in 0..<Int32(group.batch.count) {
                if let object = registered(group, row), seen.insert(object).inserted {
                    try show(group, row, in: object)
                }
            }
        }
        graph.pruneChanges()
        return group
    }

    /// Takes in the rows of what has changed up to a moment, and returns their objects.
    ///
    /// What is pending here stays as it is, until it is no longer.
    func adopt(_ rows: [RowBatch], through moment: StoreToken) throws -> [ManagedObject] {
        try ChangeMerging(graph: graph, isLazy: true).pull(through: moment)
        var objects: [ManagedObject] = []
        for group in rows.map({ RowGroup($0) }) {
            for row in 0..<Int32(group.batch.count) {
                if let object = registered(group, row), !object.hasChanges {
                    try show(group, row, in: object)
                }
                objects.append(graph.object(group, row))
            }
        }
        graph.pruneChanges()
        return objects
    }

    private func registered(_ group: RowGroup, _ row: Int32) -> ManagedObject? {
        let entity = graph.model.layouts[group.batch.entityIndex(at: Int(row))]
        let object = graph.identities.object(group.batch.key(at: Int(row)), rootIndex: entity.rootIndex)
        return object?.state == .inserted || object?.state == .detached ? nil : object
    }

    /// Lets an object show a row, and say that it has changed only if it has.
    private func show(_ group: RowGroup, _ row: Int32, in object: ManagedObject) throws {
        let isSame = shows(group.batch, Int(row), object)
        if isSame && !group.hasRelated { return }
        Refreshing(graph: graph).unload(object)
        if isSame {
            object.group = group
            object.row = row
        } else if object.isFault {
            graph.fill(object, group, row)
        } else {
            try Rebasing.rebase(object, group, row, in: graph)
        }
    }

    private func shows(_ rows: RowBatch, _ row: Int, _ object: ManagedObject) -> Bool {
        guard let known = object.group?.batch, object.row >= 0 else { return false }
        let old = Int(object.row)
        if known.version(at: old) != rows.version(at: row) { return false }
        return object.entity.properties.allSatisfy { property in
            property.columns.isEmpty
                || known.holdsSame(property, at: old, as: rows, at: row, areStored: false)
        }
    }
}
