/// The functions that follow one operation from its turn to its end, such as those that manage a span of a trace.
public struct OperationObserver: Sendable {
    /// A function that calls its argument exactly once, before it returns.
    public typealias Run = @Sendable (_ operation: () -> Void) -> Void

    /// Runs the operation; nil to run it directly.
    let run: Run?
    let ended: @Sendable (OperationReport) -> Void

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - run: Runs the operation once its turn has come, on its thread, and so can set task-local values for it. The operation includes the
    ///     block, its statements, and the commit, unless a later write commits for both. It isn't called if the turn never comes.
    ///   - ended: Receives the report when the operation has ended. It is called exactly once, on the thread on which the operation ended.
    public init(run: Run? = nil, ended: @escaping @Sendable (OperationReport) -> Void) {
        self.run = run
        self.ended = ended
    }

    /// Returns an observer that calls several observers, the first one outermost.
    static func combining(_ observers: [OperationObserver]) -> OperationObserver {
        let runs = observers.compactMap(\.run)
        let ended: @Sendable (OperationReport) -> Void = { report in
            for observer in observers { observer.ended(report) }
        }
        if runs.isEmpty { return OperationObserver(ended: ended) }
        return OperationObserver(run: { operation in nest(operation, in: runs[...]) }, ended: ended)
    }

    private static func nest(_ operation: () -> Void, in runs: ArraySlice<Run>) {
        guard let outermost = runs.first else { return operation() }
        outermost { nest(operation, in: runs.dropFirst()) }
    }
}
