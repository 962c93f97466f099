/// The shared context of a store, and the broadcaster for its proxies.
struct SharedContext: Sendable {
    let actor: ContextActor
    /// Delivers changes of the shared context to proxies.
    let proxies = ChangeBroadcaster()

    init(_ pipeline: Pipeline) {
        actor = ContextActor(pipeline, name: "shared", proxies: proxies)
    }
}

/// Creates the shared context of a store on first use.
///
/// `cached` is guarded by its mutex.
final class LazySharedContext: Sendable {
    private let cached = Guarded<SharedContext?>(nil)

    func callAsFunction(_ pipeline: Pipeline) -> SharedContext {
        cached.withLock { cached in
            let context = cached ?? SharedContext(pipeline)
            cached = context
            return context
        }
    }
}
