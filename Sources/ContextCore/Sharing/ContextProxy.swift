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
/// ``fetch(_:isolation:)`` waits without blocking, behind all that was submitted to the shared context before, and so does the context
/// for what has changed of its objects and of a list's. Whatever it has to read beside that, the thread waits for, until its turn in the
/// shared context too: a fault or a relationship that is touched; a list that runs its request again, as one with a limit or a window
/// does; a live value. So prefetch what will be touched, and let proxies with such lists belong to the main actor, not to actors of Swift's
/// cooperative pool. An object that has changed and is not in the answer of a fetch becomes a fault by it, and relationships that it may
/// belong to are loaded again.
///
/// A block of the shared context must not wait for a thread that may be reading through a proxy, as `DispatchQueue.main.sync` does: each
/// would wait for the other. When the block has made no progress for ``StoreOptions/deadlockTimeout``, the read is given up with
/// ``StoreError/Code/wouldDeadlock``, which says where the block was submitted. Return the values from the block, and show them in the
/// completion of ``Store/performWithSharedContext(fileID:line:_:completion:)`` or after its `await`.
public final class ContextProxy {
    /// The read-only context: what results controllers are made in.
    public let context: ObjectContext
    let shared: ContextActor
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
            let follower = ProxyFollower(context.graph, shared.actor, owner)
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
        let epochs = context.graph.epochs
        return try await adopt(shared.answer(request), request, asOf: epochs)
    }

    /// Takes an answer in; where others of this isolation have seen the successors of its rows in the meantime, the request is made again.
    ///
    /// - Parameter epochs: What the context had seen when the request was made.
    func adopt<Object: ManagedObject>(
        _ answer: FetchAnswer, _ request: FetchRequest<Object>, asOf epochs: [Int],
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Object] {
        var (answer, epochs) = (answer, epochs)
        for _ in 1..<Self.mostTries where context.graph.epochs != epochs {
            epochs = context.graph.epochs
            answer = try await shared.answer(request)
        }
        if context.graph.epochs == epochs { return try context.adopt(answer, request) }
        return try context.adopt(try shared.answerAndWait(request), request)
    }

    /// Saves what is pending in the shared context.
    public func save(isolation: isolated (any Actor)? = #isolation) async throws {
        try await shared.perform { try $0.save() }
    }
}

@available(*, unavailable, message: "A proxy stays where it was made; make one for each isolation.")
extension ContextProxy: Sendable {}
