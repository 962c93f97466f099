/// Publishes the changes of a graph, including pending ones, to a broadcaster.
final class GraphFeed: GraphFollower {
    private let broadcaster: ChangeBroadcaster
    private weak var graph: ObjectGraph?
    /// The token of the last published change; the feed counts its own changes.
    private(set) var token: StoreToken

    init(_ graph: ObjectGraph, _ broadcaster: ChangeBroadcaster) {
        self.graph = graph
        self.broadcaster = broadcaster
        token = StoreToken(storeID: graph.parent.identifiers.storeID, sequence: 0)
        graph.follow(self)
    }

    let isBehind = false
    let isAwaited = false

    func follow(_ notices: GraphChanges) {
        guard let graph, broadcaster.hasListeners else { return }
        let known = notices.effects(in: graph)
        if let known, known.isEmpty { return }
        token = StoreToken(storeID: token.storeID, sequence: token.sequence + 1)
        broadcaster.publish(
            StoreChange(
                token: token, contextName: nil, author: nil, effects: known ?? NetEffects(),
                isComplete: known != nil))
    }

    func graphDidClose() { broadcaster.close() }
}
