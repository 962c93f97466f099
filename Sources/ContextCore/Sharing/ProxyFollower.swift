/// Lets a proxy follow the shared context: in its owner's isolation, and without blocking a thread there for the rows that have changed.
// @unchecked: the graph is touched in its owner's isolation alone.
final class ProxyFollower: @unchecked Sendable {
    private weak var graph: ObjectGraph?
    private let shared: ContextActor
    /// Not held, as it may be the owner that holds the proxy.
    private weak var owner: (any Actor)?
    /// How often rows are asked for before they are waited for on the thread.
    private static let mostTries = 3

    init(_ graph: ObjectGraph, _ shared: ContextActor, _ owner: any Actor) {
        self.graph = graph
        self.shared = shared
        self.owner = owner
    }

    func follow(after wake: Wake) {
        guard let owner else { return }
        Task { await follow(isolation: owner, wake) }
    }

    private func follow(isolation: isolated any Actor, _ wake: Wake) async {
        wake.begin()
        for _ in 0..<Self.mostTries {
            guard let news = graph.flatMap(ProxyNews.init) else { break }
            // What can't be had is waited for below, where whoever fetches next hears why.
            guard let rows = try? await answer(news, isolation: isolation) else { break }
            // Rows are of no use whose successors others of this isolation have seen in the meantime.
            if let graph, news.isCurrent(in: graph) { return adopt(rows, news, graph) }
        }
        graph?.followStore()
    }

    private func answer(_ news: ProxyNews, isolation: isolated any Actor) async throws
        -> [RowBatch]
    {
        news.keys.isEmpty ? [] : try await shared.answer(news.keys)
    }

    /// Takes in what has changed, and tells those who follow of it, who find the objects there.
    private func adopt(_ rows: [RowBatch], _ news: ProxyNews, _ graph: ObjectGraph) {
        let objects = try? Adoption(graph: graph).adopt(rows, through: news.moment)
        withExtendedLifetime(objects) { graph.tellFollowers() }
        // What has come since is asked for in turn.
        if graph.inbox?.waiting.isEmpty == false { graph.followers.wake?() }
    }
}

/// What the shared context has told and a proxy has not followed yet, as far as it is known by the objects.
private struct ProxyNews {
    /// How many objects that nobody has are asked for at the most, as lists run their requests again where more have changed.
    private static let mostStrangers = 1000

    /// What is wanted of it, by the root's position in the model: objects that the proxy has, and those that a list may show.
    private(set) var keys: [Int: [Int64]] = [:]
    /// The moment right after it.
    let moment: StoreToken
    private let epochs: [Int]

    /// Nil where there is nothing that could be asked for by its keys.
    init?(_ graph: ObjectGraph) {
        guard let changes = graph.inbox?.waiting, let last = changes.last, changes.allSatisfy(\.isComplete)
        else { return nil }
        moment = last.token
        epochs = graph.epochs
        let listed = Set(graph.followers.present.compactMap(\.listedRoot))
        var strangers = 0
        for id in Set(changes.flatMap { $0.inserted + $0.updated }) {
            guard let rootIndex = graph.identifiers.rootIndex(of: id) else { return nil }
            if graph.identities.object(id.key, rootIndex: rootIndex) == nil {
                guard listed.contains(rootIndex) else { continue }
                strangers += 1
            }
            keys[rootIndex, default: []].append(id.key)
        }
        if strangers > Self.mostStrangers { return nil }
    }

    /// Whether a graph has followed nothing since.
    func isCurrent(in graph: ObjectGraph) -> Bool { graph.epochs == epochs }
}
