/// Notifies the followers of a context on the main actor, in a task that runs after the code that made changes.
@MainActor final class MainActorFollowing {
    private weak var graph: ObjectGraph?

    private init(_ graph: ObjectGraph) { self.graph = graph }

    /// Starts notifying the followers, until the context is deallocated.
    static func start(in context: ObjectContext) {
        let following = MainActorFollowing(context.graph)
        context.graph.isolation = .mainActor
        context.graph.followers.wakesOnChange = true
        let wake = Wake { wake in
            Task { @MainActor in
                wake.markBegun()
                following.graph?.followStore()
            }
        }
        context.graph.followers.wake = { wake.call() }
    }
}
