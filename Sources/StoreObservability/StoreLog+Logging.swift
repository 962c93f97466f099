#if Logging
public import ContextCore
public import Logging

extension StoreLog {
    /// Returns a log that writes to a logger of swift-log.
    ///
    /// Failed operations are errors; conflicts, slow statements and slow operations are warnings; everything else is for debugging. The metadata
    /// has the durations in milliseconds, the statement with placeholders, or the operation with the code of its error.
    ///
    /// - Parameters:
    ///   - logger: The logger; its level decides what is written.
    ///   - threshold: The minimum duration of a logged statement or operation; by default all are logged.
    ///   - includesValues: Whether statements include values. These are the users' data, so consider where the log goes.
    public static func logger(
        _ logger: Logger, slowerThan threshold: Duration = .zero, includesValues: Bool = false
    ) -> StoreLog {
        .events(slowerThan: threshold, includesValues: includesValues) { event in
            logger.log(level: event.level.loggerLevel, "\(event.message)", metadata: event.metadata)
        }
    }
}

extension StoreLog.Event.Level {
    fileprivate var loggerLevel: Logger.Level {
        switch self {
        case .info: .debug
        case .warning: .warning
        case .error: .error
        }
    }
}

extension StoreLog.Event {
    fileprivate var message: String {
        switch source {
        case .statement(let entry): "\(kind) of \(entry.database.namespace)"
        case .operation(let report): "\(kind): \(report.kind) \(report.identifier)"
        }
    }

    fileprivate var metadata: Logger.Metadata {
        switch source {
        case .statement(let entry):
            return [
                "db.system.name": "\(entry.database.system)", "db.namespace": "\(entry.database.namespace)",
                "db.query.text": "\(entry.text)", "duration_ms": Self.milliseconds(entry.duration),
                "rows": .stringConvertible(entry.rows),
            ]
        case .operation(let report):
            var metadata: Logger.Metadata = [
                "operation": "\(report.identifier)", "kind": "\(report.kind)",
                "duration_ms": Self.milliseconds(report.ran), "waited_ms": Self.milliseconds(report.waited),
            ]
            if let lane = report.lane { metadata["lane"] = "\(lane)" }
            if report.isRetry { metadata["retry"] = "true" }
            if case .failed(let code) = report.outcome {
                metadata["error"] = .string(code.map { "\($0)" } ?? "rolled back")
            }
            return metadata
        }
    }

    private static func milliseconds(_ duration: Duration) -> Logger.MetadataValue {
        .stringConvertible((duration / .microseconds(1)).rounded() / 1000)
    }
}
#endif
