#if Metrics
import ContextCore
import Metrics

/// The metrics of the operations of one kind.
struct OperationMetrics: Sendable {
    // `Timer` alone could be Foundation.Timer.
    private let waited, ran: Metrics.Timer
    private let done, conflicts, retries: Counter
    private let factory: any MetricsFactory
    private let dimensions: [(String, String)]

    init(_ kind: OperationInfo.Kind, _ dimensions: [(String, String)], _ factory: any MetricsFactory) {
        let dimensions = dimensions + [("kind", kind.rawValue)]
        self.dimensions = dimensions
        self.factory = factory
        waited = Metrics.Timer(label: "store.operation.wait", dimensions: dimensions, factory: factory)
        ran = Metrics.Timer(label: "store.operation.run", dimensions: dimensions, factory: factory)
        done = Self.counter(ofOutcome: "done", dimensions, factory)
        conflicts = Counter(label: "store.conflicts", dimensions: dimensions, factory: factory)
        retries = Counter(label: "store.retries", dimensions: dimensions, factory: factory)
    }

    /// Records an operation that has ended.
    func record(_ report: OperationReport) {
        waited.record(duration: report.waited)
        ran.record(duration: report.ran)
        if report.isRetry { retries.increment() }
        guard case .failed(let code) = report.outcome else { return done.increment() }
        if code == .conflict || code == .contention { conflicts.increment() }
        let outcome = code.map { "\($0)" } ?? "rolled back"
        Self.counter(ofOutcome: outcome, dimensions, factory).increment()
    }

    /// Returns the counter of an outcome; a factory returns the same one for the same label and dimensions.
    private static func counter(
        ofOutcome outcome: String, _ dimensions: [(String, String)], _ factory: any MetricsFactory
    ) -> Counter {
        Counter(label: "store.operations", dimensions: dimensions + [("outcome", outcome)], factory: factory)
    }
}
#endif
