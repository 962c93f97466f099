/// The context that everyone shares, and those who follow it.
struct SharedContext: Sendable {
    let actor: ContextActor
    /// Tells proxies what has changed.
    let proxies = ChangeBroadcaster()

    init(_ pipeline: Pipeline) {
        actor = ContextActor(pipeline, name: "shared", proxies: proxies)
    }
}

/// Makes the shared context of a store when it is asked for first.
///
/// `made` is guarded by itself.
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
