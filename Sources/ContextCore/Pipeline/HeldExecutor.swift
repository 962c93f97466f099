/// The contexts whose work the current thread runs, as a stack: a block of a child runs requests in its parents.
final class HeldExecutor {
    private let executor: ContextExecutor
    private let outer: HeldExecutor?
    private static let thread = ThreadLocal<HeldExecutor>()

    private init(_ executor: ContextExecutor) {
        self.executor = executor
        outer = Self.thread.current
    }

    /// Runs a closure as work of a context.
    static func hold<Value>(_ executor: ContextExecutor, _ body: () throws -> Value) rethrows -> Value {
        let held = HeldExecutor(executor)
        thread.current = held
        defer { thread.current = held.outer }
        return try withExtendedLifetime(held, body)
    }

    /// Runs a store request, during which the contexts whose work the current thread runs don't count as stalled.
    static func request<Value>(_ body: () throws -> Value) rethrows -> Value {
        let innermost = thread.current
        guard innermost != nil else { return try body() }
        forEach(from: innermost) { $0.beginRequest() }
        defer { forEach(from: innermost) { $0.endRequest() } }
        return try body()
    }

    private static func forEach(from innermost: HeldExecutor?, _ body: (ContextExecutor) -> Void) {
        var held = innermost
        while let candidate = held {
            body(candidate.executor)
            held = candidate.outer
        }
    }

    /// Whether the current thread runs a context's work.
    static func isHeld(_ executor: ContextExecutor) -> Bool {
        var held = thread.current
        while let candidate = held {
            if candidate.executor === executor { return true }
            held = candidate.outer
        }
        return false
    }

    /// The innermost context whose work the current thread runs; nil if it runs none.
    static var current: ContextExecutor? { thread.current?.executor }
}
