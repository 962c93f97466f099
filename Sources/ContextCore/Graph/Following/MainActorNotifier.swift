/// Notifies the followers of a context on the main actor, in a task that runs after the code that made changes.
@MainActor final class MainActorNotifier {
    private weak var graph: ObjectGraph?

    private init(_ graph: ObjectGraph) { self.graph = graph }

    /// Starts notifying the followers, until the context is deallocated.
    static func start(in context: ObjectContext) {
        let following = MainActorNotifier(context.graph)
        context.graph.isolation = .mainActor
        context.graph.followers.wakesOnChange = true
        let wake = CoalescedWakeup { wake in
            Task { @MainActor in
                wake.markBegun()
                following.graph?.mergeStoreChanges()
            }
        }
        context.graph.followers.wake = { wake.scheduleIfNeeded() }
    }
}
