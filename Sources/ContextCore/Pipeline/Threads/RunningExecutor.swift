/// The contexts whose work the current thread runs, as a stack: a block of a child runs requests in its parents.
final class RunningExecutor {
    private let executor: ContextExecutor
    private let outer: RunningExecutor?
    private static let thread = ThreadLocal<RunningExecutor>()

    private init(_ executor: ContextExecutor) {
        self.executor = executor
        outer = Self.thread.current
    }

    /// Runs a closure as work of a context.
    static func run<Value>(_ executor: ContextExecutor, _ body: () throws -> Value) rethrows -> Value {
        let running = RunningExecutor(executor)
        thread.current = running
        defer { thread.current = running.outer }
        return try withExtendedLifetime(running, body)
    }

    /// Runs a store request, during which the contexts whose work the current thread runs don't count as stalled.
    static func request<Value>(_ body: () throws -> Value) rethrows -> Value {
        let innermost = thread.current
        guard innermost != nil else { return try body() }
        forEach(from: innermost) { $0.beginRequest() }
        defer { forEach(from: innermost) { $0.endRequest() } }
        return try body()
    }

    private static func forEach(from innermost: RunningExecutor?, _ body: (ContextExecutor) -> Void) {
        var running = innermost
        while let candidate = running {
            body(candidate.executor)
            running = candidate.outer
        }
    }

    /// Whether the current thread runs a context's work.
    static func isRunning(_ executor: ContextExecutor) -> Bool {
        var running = thread.current
        while let candidate = running {
            if candidate.executor === executor { return true }
            running = candidate.outer
        }
        return false
    }

    /// The innermost context whose work the current thread runs; nil if it runs none.
    static var current: ContextExecutor? { thread.current?.executor }
}
