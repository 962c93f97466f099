/// A read-only context over the one that everyone shares, for whoever makes it: a screen, an actor.
///
/// ```swift
/// let proxy = store.makeProxy()
/// let games = try await proxy.fetch(FetchRequest<Game>())
/// let list = try FetchedResultsController(Game.self, order: .ascending(\.title), in: proxy.context)
/// ```
///
/// It has objects of its own, with what is pending in the shared context, and belongs to the isolation that it was made in. It
/// follows the shared context: when something is fetched or counted, and, where there is a results controller over it, soon after a
/// block of the shared context has ended. Objects that go there become deleted ones here. Changes of its objects can't be saved; they
/// are made in ``Store/performWithSharedContext(fileID:line:_:)``.
///
/// ``fetch(_:isolation:)`` waits without blocking, behind all that was submitted to the shared context before. Whatever the context
/// itself has to read, as for a fault that is touched, the thread waits for: prefetch what will be touched. An object that has changed
/// and is not in the answer of a fetch becomes a fault by it, and relationships that it may belong to are loaded again.
public final class ContextProxy {
    /// The read-only context: what results controllers are made in.
    public let context: ObjectContext
    private let shared: ContextActor
    /// How often a request is made before its turn is waited for on the thread.
    private static let mostTries = 3

    init(over shared: SharedContext, model: ObjectModel, owner: (any Actor)?) {
        self.shared = shared.actor
        context = ObjectContext(
            model: model, parent: ProxyParent(shared.actor), isReadOnly: true)
        context.name = "proxy"
        context.inaccessibleFaults = .deletedObject
        context.graph.inbox = shared.proxies.listen()
        if let owner {
            let follower = ProxyFollower(context.graph, owner)
            let wake = Wake { follower.follow(after: $0) }
            context.graph.followers.wake = { wake.call() }
        }
    }

    /// Fetches what a request asks for, as the shared context has it when its turn comes.
    ///
    /// The fetch and everything that it prefetches are of one moment of the store, as of one moment of the shared context: the objects
    /// that this context has already, too. Where somebody else of this isolation lets the context follow the shared one while the request
    /// waits, it is made again; where that happens time after time, the thread waits for the last answer.
    ///
    /// - Throws: What ``ObjectContext/fetch(_:fileID:line:)`` throws.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Object] {
        for _ in 0..<Self.mostTries {
            let epochs = context.graph.epochs
            let answer = try await shared.answer(request)
            // Rows that others of this isolation have seen the successors of in the meantime are of no use any more.
            if context.graph.epochs == epochs { return try context.adopt(answer, request) }
        }
        return try context.adopt(try shared.answerAndWait(request), request)
    }

    /// Saves what is pending in the shared context.
    public func save(isolation: isolated (any Actor)? = #isolation) async throws {
        try await shared.perform { try $0.save() }
    }
}

@available(*, unavailable, message: "A proxy stays where it was made; make one for each isolation.")
extension ContextProxy: Sendable {}

/// Asks a proxy's owner to follow the shared context.
// @unchecked: the graph is touched in its owner's isolation alone.
private final class ProxyFollower: @unchecked Sendable {
    private weak var graph: ObjectGraph?
    /// Not held, as it may be the owner that holds the proxy.
    private weak var owner: (any Actor)?

    init(_ graph: ObjectGraph, _ owner: any Actor) {
        self.graph = graph
        self.owner = owner
    }

    func follow(after wake: Wake) {
        guard let owner else { return }
        Task { await follow(isolation: owner, wake) }
    }

    private func follow(isolation: isolated any Actor, _ wake: Wake) async {
        wake.begin()
        graph?.followStore()
    }
}
