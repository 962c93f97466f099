/// A log that receives a report about each operation of a store that ends, for metrics.
///
/// ```swift
/// let log = OperationLog { report in waits.record(report.waited, of: report.identifier) }
/// let store = try await Store.open(url, backends: [.sqlite], model: [Game.self], options: StoreOptions(operationLog: log))
/// ```
///
/// Operations are the blocks of `read` and `write`, and the fetches and saves of long-lived contexts. Each attempt at a retried write has
/// a report of its own.
public final class OperationLog: Sendable, Hashable {
    private let handler: @Sendable (OperationReport) -> Void

    /// Creates a log.
    ///
    /// - Parameter handler: Called with each report, on the thread on which the operation ended. It must be quick, and must not use the
    ///   store.
    public init(handler: @escaping @Sendable (OperationReport) -> Void) { self.handler = handler }

    func report(_ report: OperationReport) { handler(report) }

    /// Whether two logs are the same instance.
    public static func == (left: OperationLog, right: OperationLog) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
