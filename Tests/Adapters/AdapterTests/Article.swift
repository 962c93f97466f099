// The code of the article “Observing a store” that needs the adapters. A test compares the article with this file.

import ContextCore
import Logging
import SQLiteBackend
import ServiceLifecycle
import StoreObservability

@Entity final class Game: ManagedObject {
    @Attribute(.unique) var title: String
}

/// Opens a store that writes to swift-log, records metrics and makes spans.
func openObserved(_ url: String, _ logger: Logger, _ metrics: StoreMetrics) async throws -> Store {
    let log = StoreLog.combining(
        .logger(logger, slowerThan: .milliseconds(100)), metrics.log, .tracing(includesStatements: true))
    return try await Store.open(
        url, backends: [.sqlite], model: [Game.self], options: StoreOptions(log: log))
}

/// Runs services that use a store, until the process gets a SIGTERM.
func serve(_ store: Store, _ services: [any Service], _ metrics: StoreMetrics, _ log: Logger) async throws {
    let polling = Task { await metrics.poll(store, every: .seconds(10)) }
    let group = ServiceGroup(services: [store] + services, gracefulShutdownSignals: [.sigterm], logger: log)
    try await group.run()
    polling.cancel()
}
