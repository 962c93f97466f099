extension ChangeMerging {
    /// Brings objects up to date that had pending changes when others had changed them, and have none any more.
    func catchUp() throws {
        let free = graph.withheld.filter { !$0.hasChanges }
        if free.isEmpty { return }
        let unchanged = free.filter { $0.state == .unchanged }
        for (rootIndex, objects) in Dictionary(grouping: unchanged, by: \.entity.rootIndex).sorted(by: {
            $0.key < $1.key
        }) {
            try catchUp(objects, rootIndex: rootIndex)
        }
        graph.withheld.subtract(free)
        graph.pruneChanges()
    }

    private func catchUp(_ objects: [ManagedObject], rootIndex: Int) throws {
        let group = RowGroup(try graph.parent.rows(objects.map(\.key), entityIndex: rootIndex))
        var gone = Set(objects)
        for row in 0..<group.batch.count {
            guard let object = graph.identities.object(group.batch.key(at: row), rootIndex: rootIndex) else {
                continue
            }
            gone.remove(object)
            Refreshing(graph: graph).unload(object)
            try Rebasing(graph: graph).rebase(object, group, Int32(row))
        }
        for object in gone { graph.lose(object) }
    }
}
