#if Tracing
public import ContextCore
public import Tracing

extension StoreLog {
    /// Returns a log that makes a span of swift-distributed-tracing for each operation and each statement.
    ///
    /// The span of an operation lasts from its submission to its end, and is a child of the span in which it was submitted. Each attempt at a
    /// retried write has one. Its statements, and spans that the block makes, are its children. The spans have the attributes
    /// `db.system.name` and `db.namespace`. Statements outside of operations, such as those that open a store, have no spans.
    ///
    /// - Parameters:
    ///   - includesStatements: Whether spans have the text of statements, with placeholders for values, as `db.query.text`.
    ///   - tracer: The tracer; nil for the one that the program has bootstrapped.
    public static func tracing(includesStatements: Bool = false, tracer: (any Tracer)? = nil) -> StoreLog {
        StoreLog(
            statementLog: StatementLog { entry in
                guard let context = ServiceContext.current else { return }
                let tracer = tracer ?? InstrumentationSystem.tracer
                record(entry, context, includesStatements, tracer)
            },
            operationLog: .observing { operation in
                let tracer = tracer ?? InstrumentationSystem.tracer
                return observer(of: operation, tracer)
            })
    }

    private static func observer(
        of operation: SubmittedOperation, _ tracer: some Tracer
    ) -> OperationObserver {
        let span = tracer.startSpan("\(operation.kind) \(operation.identifier)", ofKind: .internal)
        span.updateAttributes { attributes in
            attributes["store.operation"] = operation.identifier
            attributes["store.operation.kind"] = operation.kind.rawValue
            if operation.isRetry { attributes["store.operation.retry"] = true }
            if let database = operation.database { attributes.describe(database) }
        }
        return OperationObserver(
            run: { body in ServiceContext.$current.withValue(span.context, operation: body) },
            ended: { report in
                span.attributes["store.operation.wait_ms"] = report.waited / .milliseconds(1)
                if case .failed(let code) = report.outcome { recordFailure(code, in: span) }
                span.end()
            })
    }

    /// Records how an operation failed; it isn't an error if the caller cancelled it, or its block threw its own error to roll back.
    private static func recordFailure(_ code: StoreError.Code?, in span: some Span) {
        guard let code, code != .cancelled else {
            let outcome: String = code.map { "\($0)" } ?? "rolled back"
            span.attributes["store.operation.outcome"] = outcome
            return
        }
        span.attributes["error.type"] = "\(code)"
        span.setStatus(SpanStatus(code: .error))
    }

    /// Makes the span of a statement that has ended.
    private static func record(
        _ entry: StatementLog.Entry, _ context: ServiceContext, _ includesStatements: Bool,
        _ tracer: some Tracer
    ) {
        let end = DefaultTracerClock.now
        let duration = UInt64(max(entry.duration / .nanoseconds(1), 0))
        let start = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - min(duration, end.nanosecondsSinceEpoch))
        let name = String(entry.text.prefix { $0.isLetter })
        let span = tracer.startSpan(
            name.isEmpty ? "statement" : name, context: context, ofKind: .client, at: start)
        span.updateAttributes { attributes in
            attributes.describe(entry.database)
            if !name.isEmpty { attributes["db.operation.name"] = name }
            attributes["db.response.returned_rows"] = entry.rows
            if includesStatements { attributes["db.query.text"] = entry.text }
        }
        span.end(at: end)
    }
}

extension SpanAttributes {
    fileprivate mutating func describe(_ database: DatabaseName) {
        self["db.system.name"] = database.system
        self["db.namespace"] = database.namespace
    }
}
#endif
