/// A read-only context over the shared context, for one isolation, such as a screen or an actor.
///
/// ```swift
/// let proxy = store.makeProxy()
/// let games = try await proxy.fetch(FetchRequest<Game>())
/// let list = try FetchedResultsController(Game.self, order: .ascending(\.title), in: proxy.context)
/// ```
///
/// It has its own objects, which include pending changes of the shared context, and belongs to the isolation that created it. It follows
/// the shared context: at each fetch or count, and, if it has a results controller, soon after a block of the shared context ends.
/// Objects that are deleted in the shared context become deleted objects in the proxy's context. Changes of the proxy's objects can't be
/// saved; make changes in ``Store/performWithSharedContext(fileID:line:_:)``.
///
/// ``fetch(_:isolation:)`` suspends behind all blocks submitted to the shared context before, and so do updates of the proxy's objects
/// and lists. Other reads block the thread until their turn in the shared context: firing a fault or relationship; running a list's
/// request again, as for a limit or a window; a live value. So prefetch what you access, and create proxies with such lists on the main
/// actor, not on actors of Swift's cooperative pool. After a fetch, changed objects that are not in its results are faults, and
/// relationships that may include them are loaded again.
///
/// A block of the shared context must not wait for a thread that may be reading through a proxy, as `DispatchQueue.main.sync` does: the
/// two would wait for each other. If the block makes no progress for ``StoreOptions/deadlockTimeout``, the read fails with
/// ``StoreError/Code/wouldDeadlock``, which names the call site of the block. Return values from the block instead, and show them in the
/// completion of ``Store/performWithSharedContext(fileID:line:_:completion:)`` or after its `await`.
public final class ContextProxy {
    /// The read-only context, in which results controllers can be created.
    public let context: ObjectContext
    let shared: ContextActor
    /// The maximum number of asynchronous attempts at a request, after which it blocks the thread.
    private static let attemptLimit = 3

    init(over shared: SharedContext, model: ObjectModel, owner: (any Actor)?) {
        self.shared = shared.actor
        context = ObjectContext(
            model: model, parent: ProxyParent(shared.actor), isReadOnly: true)
        context.name = "proxy"
        context.inaccessibleFaults = .deletedObject
        context.graph.inbox = shared.proxies.listen()
        if let owner {
            let follower = ProxyFollower(context.graph, shared.actor, owner)
            let wake = CoalescedWakeup { follower.follow(after: $0) }
            context.graph.followers.wake = { wake.scheduleIfNeeded() }
        }
    }

    /// Fetches objects, with the values that the shared context has when the request's turn comes.
    ///
    /// The results and all prefetched objects come from one snapshot of the store and one state of the shared context; so do objects that
    /// this context already has. If other code in this isolation updates the context while the request waits, the request is repeated,
    /// up to twice; after that, a last attempt blocks the thread.
    ///
    /// - Throws: The errors of ``ObjectContext/fetch(_:fileID:line:)``.
    public func fetch<Object: ManagedObject>(
        _ request: FetchRequest<Object>, isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Object] {
        let epochs = context.graph.epochs
        return try await adopt(shared.fetchRows(request), request, asOf: epochs)
    }

    /// Merges a response; repeats the request if the context has merged newer changes since the request was made.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request.
    ///   - epochs: The context's epochs when the request was made.
    ///   - isolation: The proxy's isolation.
    func adopt<Object: ManagedObject>(
        _ response: FetchResponse, _ request: FetchRequest<Object>, asOf epochs: [Int],
        isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Object] {
        var (response, epochs) = (response, epochs)
        for _ in 1..<Self.attemptLimit where context.graph.epochs != epochs {
            epochs = context.graph.epochs
            response = try await shared.fetchRows(request)
        }
        if context.graph.epochs == epochs { return try context.adopt(response, request) }
        return try context.adopt(try shared.fetchRowsAndWait(request), request)
    }

    /// Saves the pending changes of the shared context.
    public func save(isolation: isolated (any Actor)? = #isolation) async throws {
        try await shared.perform { try $0.save() }
    }
}

@available(*, unavailable, message: "A proxy stays in its isolation; create one for each isolation.")
extension ContextProxy: Sendable {}
