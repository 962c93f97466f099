/// Keeps a proxy up to date with the shared context: fetches changed rows without blocking, and merges them in the proxy's isolation.
// @unchecked: the graph is used only in its owner's isolation.
final class ProxyFollower: @unchecked Sendable {
    private weak var graph: ObjectGraph?
    private let shared: ContextActor
    /// The actor that the proxy belongs to; weak, because it may own the proxy.
    private weak var owner: (any Actor)?
    /// The maximum number of asynchronous attempts to fetch rows, after which the merge blocks the thread.
    private static let attemptLimit = 3

    init(_ graph: ObjectGraph, _ shared: ContextActor, _ owner: any Actor) {
        self.graph = graph
        self.shared = shared
        self.owner = owner
    }

    func follow(after wake: CoalescedWakeup) {
        guard let owner else { return }
        Task { await follow(isolation: owner, wake) }
    }

    private func follow(isolation: isolated any Actor, _ wake: CoalescedWakeup) async {
        wake.markBegun()
        for _ in 0..<Self.attemptLimit {
            guard let changes = graph.flatMap(ProxyChanges.init) else { break }
            // If it fails, the merge below blocks instead; the next fetch throws its error.
            guard let rows = try? await fetchRows(changes, isolation: isolation) else { break }
            // The rows are outdated if other code in this isolation has merged newer changes meanwhile.
            if let graph, changes.isCurrent(in: graph) { return adopt(rows, changes, graph) }
        }
        graph?.mergeStoreChanges()
    }

    private func fetchRows(_ changes: ProxyChanges, isolation: isolated any Actor) async throws
        -> [RowBatch]
    {
        changes.keys.isEmpty ? [] : try await shared.fetchRows(changes.keys)
    }

    /// Merges changed rows, and notifies the followers while the objects are in memory.
    private func adopt(_ rows: [RowBatch], _ changes: ProxyChanges, _ graph: ObjectGraph) {
        let objects = try? ProxyMerging(graph: graph).adopt(rows, through: changes.token)
        withExtendedLifetime(objects) { graph.notifyFollowers() }
        // Merges changes that have arrived in the meantime.
        if graph.inbox?.waiting.isEmpty == false { graph.followers.wake?() }
    }
}

/// The changes of the shared context that a proxy has not merged yet, as the keys to fetch.
private struct ProxyChanges {
    /// The maximum number of objects to fetch that the proxy doesn't have; if more have changed, results controllers run their requests
    /// again.
    private static let unknownObjectLimit = 1000

    /// The keys of the objects that the proxy has or that a results controller may show, by the index of the root entity.
    private(set) var keys: [Int: [Int64]] = [:]
    /// The position in the history after the changes.
    let token: StoreToken
    private let epochs: [Int]

    /// Returns nil if there are no changes, or if the changed objects can't be fetched by key.
    init?(_ graph: ObjectGraph) {
        guard let changes = graph.inbox?.waiting, let last = changes.last, changes.allSatisfy(\.isComplete)
        else { return nil }
        token = last.token
        epochs = graph.epochs
        let listed = Set(graph.followers.existing.compactMap(\.examinedRootIndex))
        var unknownCount = 0
        for id in Set(changes.flatMap { $0.inserted + $0.updated }) {
            guard let rootIndex = graph.identifiers.rootIndex(of: id) else { return nil }
            if graph.identities.object(id.key, rootIndex: rootIndex) == nil {
                guard listed.contains(rootIndex) else { continue }
                unknownCount += 1
            }
            keys[rootIndex, default: []].append(id.key)
        }
        if unknownCount > Self.unknownObjectLimit { return nil }
    }

    /// Whether the graph has merged no other changes in the meantime.
    func isCurrent(in graph: ObjectGraph) -> Bool { graph.epochs == epochs }
}
