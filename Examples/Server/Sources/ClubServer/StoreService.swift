import ContextCore
import ServiceLifecycle

/// Closes a store at a graceful shutdown.
///
/// A service group stops its services in reverse order, each after the next one has ended, so the server answers its requests first.
struct StoreService: Service {
    let store: Store

    func run() async throws {
        try? await gracefulShutdown()
        await store.close()
    }
}
