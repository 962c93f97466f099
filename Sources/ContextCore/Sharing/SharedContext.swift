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
/// `made` is guarded by its mutex.
final class Sharing: Sendable {
    private let made = Guarded<SharedContext?>(nil)

    func callAsFunction(_ pipeline: Pipeline) -> SharedContext {
        made.withLock { made in
            let context = made ?? SharedContext(pipeline)
            made = context
            return context
        }
    }
}
