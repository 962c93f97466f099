import Foundation

extension StoreLog {
    /// An event that a log selects for its duration or its outcome.
    public struct Event: Sendable {
        /// How important an event is.
        public enum Level: String, Sendable, Hashable {
            /// A statement, an operation or a retry that isn't slow, or a slow operation that was cancelled or rolled back.
            case info
            /// A statement or an operation that reached the log's threshold, or a conflict.
            case warning
            /// An operation that failed.
            case error
        }

        /// What an event is about.
        public enum Kind: String, Sendable, Hashable {
            /// A statement ended.
            case statement
            /// An operation ended, with or without an error.
            case operation
            /// An operation failed because of another transaction, and may run again.
            case conflict
            /// An operation that ran again succeeded.
            case retry
        }

        /// The report that an event describes.
        public enum Source: Sendable {
            /// A statement.
            case statement(StatementLog.Entry)
            /// An operation.
            case operation(OperationReport)
        }

        /// How important the event is.
        public let level: Level
        /// What the event is about.
        public let kind: Kind
        /// The report that the event describes.
        public let source: Source
    }
}

extension StoreLog.Event {
    init(_ entry: StatementLog.Entry, slowerThan threshold: Duration) {
        (level, kind, source) = (Self.level(slowerThan: threshold), .statement, .statement(entry))
    }

    /// Returns nil for an operation that isn't logged: a quick one that neither conflicted, nor was a retry, nor failed.
    init?(_ report: OperationReport, slowerThan threshold: Duration) {
        let isSlow = report.waited + report.ran >= threshold
        source = .operation(report)
        switch report.outcome {
        case .failed(let code?) where [.conflict, .contention].contains(code):
            (level, kind) = (.warning, .conflict)
        case .failed(let code?) where code != .cancelled:
            (level, kind) = (.error, .operation)
        case .failed:
            // The caller cancelled the operation, or its block threw its own error to roll back.
            guard isSlow else { return nil }
            (level, kind) = (.info, .operation)
        case .done:
            guard isSlow || report.isRetry else { return nil }
            level = isSlow ? Self.level(slowerThan: threshold) : .info
            kind = report.isRetry ? .retry : .operation
        }
    }

    /// The level of an event that is logged for its duration: a log of all events doesn't warn about each.
    private static func level(slowerThan threshold: Duration) -> Level {
        threshold > .zero ? .warning : .info
    }

    /// Returns the event as a line without its line break; control characters in names and statements become spaces.
    func line(at time: Date) -> String {
        let time = CivilTime(microseconds: Int64((time.timeIntervalSince1970 * 1_000_000).rounded())).text
        let scalars = "\(time) \(level) \(kind) \(details)".unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : $0
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The duration and what follows it.
    private var details: String {
        switch source {
        case .statement(let entry):
            return "\(Self.text(entry.duration)) rows=\(entry.rows) \(entry.text)"
        case .operation(let report):
            let times = "\(Self.text(report.ran)) waited=\(Self.text(report.waited))"
            return "\(times) \(report.kind) \(report.identifier)\(Self.suffix(report.outcome))"
        }
    }

    private static func suffix(_ outcome: OperationReport.Outcome) -> String {
        switch outcome {
        case .done: ""
        case .failed(let code?): ": \(code)"
        case .failed(nil): ": rolled back"
        }
    }

    private static func text(_ duration: Duration) -> String {
        String(format: "%.1fms", duration / .milliseconds(1))
    }
}
