/// Tells those elsewhere who listen what changes in a graph, at quiet moments: pending changes too.
final class GraphFeed: GraphFollower {
    private let broadcaster: ChangeBroadcaster
    private weak var graph: ObjectGraph?
    /// What was told last: the feed's tokens count what it has told.
    private(set) var moment: StoreToken

    init(_ graph: ObjectGraph, _ broadcaster: ChangeBroadcaster) {
        self.graph = graph
        self.broadcaster = broadcaster
        moment = StoreToken(storeID: graph.parent.identifiers.storeID, sequence: 0)
        graph.follow(self)
    }

    let isBehind = false
    let isAwaited = false

    func follow(_ notices: GraphNotices) {
        guard let graph, broadcaster.hasListeners else { return }
        let known =
            notices.isEverything ? nil : try? graph.settingErrorsAside { try effects(notices, graph) }
        moment = StoreToken(storeID: moment.storeID, sequence: moment.sequence + 1)
        broadcaster.publish(
            StoreChange(
                token: moment, contextName: nil, author: nil, effects: known ?? NetEffects(),
                isComplete: known != nil))
    }

    func graphDidClose() { broadcaster.close() }

    private func effects(_ notices: GraphNotices, _ graph: ObjectGraph) throws -> NetEffects {
        if graph.hasTemporaryKeys { _ = try IdentityStage(graph: graph).assignKeys(SaveWork(graph)) }
        var effects = NetEffects()
        for object in notices.objects.keys {
            effects.note(object.isKept ? .update : .delete, object.objectID)
        }
        for (rootIndex, keys) in notices.merged {
            let root = graph.model.layouts[rootIndex]
            let there = try graph.parent.rows(keys.sorted(), entityIndex: rootIndex)
            let present = Set((0..<there.count).map(there.key(at:)))
            for key in keys {
                effects.note(
                    present.contains(key) ? .update : .delete, graph.parent.identifiers.id(of: key, in: root))
            }
        }
        return effects
    }
}
