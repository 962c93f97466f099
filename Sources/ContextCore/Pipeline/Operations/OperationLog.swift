/// A log of a store's operations, which receives a report when an operation ends, or follows it from its submission.
///
/// ```swift
/// let log = OperationLog { report in waits.record(report.waited, of: report.identifier) }
/// let store = try await Store.open(url, backends: [.sqlite], model: [Game.self], options: StoreOptions(operationLog: log))
/// ```
///
/// Operations are the blocks of `read` and `write`, and the fetches and saves of long-lived contexts. Each attempt at a retried write has
/// a separate report.
public final class OperationLog: Sendable, Hashable {
    private let makeObserver: @Sendable (SubmittedOperation) -> OperationObserver

    /// Creates a log that receives reports.
    ///
    /// - Parameter handler: Called with each report, on the thread on which the operation ended. It must be quick, and must not use the
    ///   store.
    public init(handler: @escaping @Sendable (OperationReport) -> Void) {
        let observer = OperationObserver(ended: handler)
        makeObserver = { _ in observer }
    }

    private init(observer makeObserver: @escaping @Sendable (SubmittedOperation) -> OperationObserver) {
        self.makeObserver = makeObserver
    }

    /// Returns a log that follows operations from their submission.
    ///
    /// - Parameter makeObserver: Called with each operation when it is submitted, by the code that submits it, so that it sees the task-local
    ///   values of that code. It must be quick, and must not use the store.
    public static func observing(
        _ makeObserver: @escaping @Sendable (SubmittedOperation) -> OperationObserver
    ) -> OperationLog {
        OperationLog(observer: makeObserver)
    }

    /// Returns a log that passes each operation to several logs.
    public static func combining(_ logs: [OperationLog]) -> OperationLog {
        observing { operation in OperationObserver.combining(logs.map { $0.observer(of: operation) }) }
    }

    func observer(of operation: SubmittedOperation) -> OperationObserver { makeObserver(operation) }

    /// Whether two logs are the same instance.
    public static func == (left: OperationLog, right: OperationLog) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
