extension ChangeMerging {
    /// Brings objects up to date that had pending changes when others had changed them, and have none any more.
    func catchUp() throws {
        let free = graph.withheld.filter { !$0.hasChanges }
        if free.isEmpty { return }
        let unchanged = free.filter { $0.state == .unchanged }
        for (rootIndex, objects) in Dictionary(grouping: unchanged, by: \.entity.rootIndex).sorted(by: {
            $0.key < $1.key
        }) {
            try Refreshing(graph: graph).followStore(objects, rootIndex: rootIndex)
        }
        graph.withheld.subtract(free)
        graph.pruneChanges()
    }
}
