#if ServiceLifecycle
public import ContextCore
public import ServiceLifecycle

extension Store: Service {
    /// Waits for the graceful shutdown of its service group, and then drains the store.
    ///
    /// All submitted operations end, and later ones throw `StoreError.Code.closed`. A group shuts down its services in reverse order, so list the
    /// store before the services that use it. If the task is cancelled, waiting operations throw too, and only running ones end.
    public func run() async throws {
        // It throws only if the task is cancelled, and draining a store in a cancelled task closes it at once.
        try? await gracefulShutdown()
        await drain()
    }
}
#endif
