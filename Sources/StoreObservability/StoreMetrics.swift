#if Metrics
public import ContextCore
public import Metrics

/// The metrics of a store, recorded with swift-metrics: how long operations wait and run, conflicts, retries, the queue, and the use of
/// connections and caches.
///
/// Open the store with ``log``, and keep a task that calls ``poll(_:every:)``. The article “Observing a store” lists the labels.
public struct StoreMetrics: Sendable {
    /// The log that records the operations of a store.
    public let log: StoreLog
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]

    /// Creates the metrics of one store.
    ///
    /// - Parameters:
    ///   - dimensions: Dimensions that every metric has, such as a name of the store.
    ///   - measuresStatements: Whether the durations of statements are recorded too, which costs a little for each row that SQLite returns.
    ///   - factory: The destination of the metrics.
    public init(
        dimensions: [(String, String)] = [], measuresStatements: Bool = false,
        factory: any MetricsFactory = MetricsSystem.factory
    ) {
        self.factory = factory
        self.dimensions = dimensions
        let (reads, writes) = (
            OperationMetrics(.read, dimensions, factory), OperationMetrics(.write, dimensions, factory)
        )
        let statements = Metrics.Timer(label: "store.statement.run", dimensions: dimensions, factory: factory)
        log = StoreLog(
            statementLog: measuresStatements
                ? StatementLog { statements.record(duration: $0.duration) } : nil,
            operationLog: OperationLog { ($0.kind == .read ? reads : writes).record($0) })
    }

    /// Records the queue, the connections and the caches of a store at an interval, until the task is cancelled.
    public func poll(_ store: Store, every interval: Duration = .seconds(10)) async {
        var last = DatabaseStatistics?.none
        while !Task.isCancelled {
            let statistics = store.statistics
            record(statistics.waiting, "store.operations.waiting")
            record(statistics.running, "store.operations.running")
            if let database = statistics.database {
                record(database.connections)
                record(database.requests, since: last?.requests, cache: "requests")
                record(database.statements, since: last?.statements, cache: "statements")
            }
            last = statistics.database
            try? await Task.sleep(for: interval)
        }
    }

    private func record(_ operations: StoreStatistics.Operations, _ label: String) {
        set(label, operations.reads, ("kind", "read"))
        set(label, operations.writes, ("kind", "write"))
    }

    private func record(_ connections: DatabaseStatistics.Connections) {
        set("store.connections.used", connections.inUse)
        set("store.connections.idle", connections.idle)
        set("store.connections.waiting", connections.waiting)
        if let limit = connections.limit { set("store.connections.limit", limit) }
    }

    private func record(
        _ lookups: DatabaseStatistics.Cache, since last: DatabaseStatistics.Cache?, cache: String
    ) {
        let dimensions = dimensions + [("cache", cache)]
        Counter(label: "store.cache.hits", dimensions: dimensions, factory: factory)
            .increment(by: lookups.hits - (last?.hits ?? 0))
        Counter(label: "store.cache.misses", dimensions: dimensions, factory: factory)
            .increment(by: lookups.misses - (last?.misses ?? 0))
    }

    private func set(_ label: String, _ value: Int, _ dimension: (String, String)...) {
        Meter(label: label, dimensions: dimensions + dimension, factory: factory).set(value)
    }
}
#endif
