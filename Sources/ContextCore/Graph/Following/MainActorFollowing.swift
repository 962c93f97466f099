/// Lets those who follow a context of the main actor look at it, soon after the code there that has changed it has come to its end.
@MainActor final class MainActorFollowing {
    private weak var graph: ObjectGraph?

    private init(_ graph: ObjectGraph) { self.graph = graph }

    /// Begins to do so, for as long as the context is there.
    static func begin(in context: ObjectContext) {
        let following = MainActorFollowing(context.graph)
        context.graph.isolation = .mainActor
        context.graph.followers.wakesOnChange = true
        let wake = Wake { wake in
            Task { @MainActor in
                wake.begin()
                following.graph?.followStore()
            }
        }
        context.graph.followers.wake = { wake.call() }
    }
}
