import Foundation

/// A text log of a store's slow statements and operations, its conflicts, retries and errors: one line per event.
///
/// ```swift
/// let store = try await Store.open(
///     url, backends: [.sqlite], model: [Game.self], options: StoreOptions(log: .standardError(slowerThan: .milliseconds(100))))
/// ```
///
/// A line has the time, the level, the kind of event, its duration, and the statement or the operation:
///
/// ```
/// 2026-08-02T09:15:07.412345Z warning statement 132.4ms rows=20 SELECT t0."_id", … LIMIT ?2
/// 2026-08-02T09:15:07.544120Z warning operation 151.0ms waited=12.1ms write import
/// 2026-08-02T09:15:08.102481Z warning conflict 3.1ms waited=0.0ms write move: contention
/// 2026-08-02T09:15:08.113010Z info retry 2.9ms waited=0.2ms write move
/// 2026-08-02T09:15:09.250333Z error operation 0.8ms waited=0.0ms write join: validation
/// ```
///
/// Statements, and operations that succeed, are logged if they take at least a given time; operations include their waiting time.
/// Conflicts, retries and operations that fail with a ``StoreError`` are always logged.
public struct StoreLog: Sendable, Hashable {
    /// The log of statements that writes the lines.
    public let statementLog: StatementLog
    /// The log of operations that writes the lines.
    public let operationLog: OperationLog

    /// Returns a log that writes to the standard error stream.
    ///
    /// - Parameters:
    ///   - threshold: The minimum duration of a logged statement or operation; by default all are logged.
    ///   - includesValues: Whether statements include values. These are the users' data, so consider where the log goes.
    public static func standardError(
        slowerThan threshold: Duration = .zero, includesValues: Bool = false
    ) -> StoreLog {
        handler(slowerThan: threshold, includesValues: includesValues) { line in
            let data = Data((line + "\n").utf8)
            errorStreamLock.withLock { _ in try? FileHandle.standardError.write(contentsOf: data) }
        }
    }

    /// Keeps the lines of several threads apart.
    private static let errorStreamLock = Guarded(())

    /// Returns a log that passes its lines to a function.
    ///
    /// - Parameters:
    ///   - threshold: The minimum duration of a logged statement or operation; by default all are logged.
    ///   - includesValues: Whether statements include values. These are the users' data, so consider where the log goes.
    ///   - handler: Receives each line, on the thread on which the event ended. It must be fast, and must not use the store.
    public static func handler(
        slowerThan threshold: Duration = .zero, includesValues: Bool = false,
        _ handler: @escaping @Sendable (String) -> Void
    ) -> StoreLog {
        StoreLog(
            statementLog: StatementLog(threshold: threshold, includesValues: includesValues) { entry in
                handler(StoreLogLine(entry, slowerThan: threshold).text(at: Date()))
            },
            operationLog: OperationLog { report in
                if let line = StoreLogLine(report, slowerThan: threshold) { handler(line.text(at: Date())) }
            })
    }
}

/// A line of a ``StoreLog``.
struct StoreLogLine {
    private enum Level { case info, warning, error }
    private enum Kind { case statement, operation, conflict, retry }

    private let level: Level
    private let kind: Kind
    /// The duration and what follows it.
    private let details: String

    init(_ entry: StatementLog.Entry, slowerThan threshold: Duration) {
        (level, kind) = (Self.level(slowerThan: threshold), .statement)
        details = "\(Self.text(entry.duration)) rows=\(entry.rows) \(entry.text)"
    }

    /// Returns nil for an operation that isn't logged: a quick one that neither conflicted, nor was a retry, nor failed.
    init?(_ report: OperationReport, slowerThan threshold: Duration) {
        let isSlow = report.waited + report.ran >= threshold
        var suffix = ""
        switch report.outcome {
        case .failed(let code?) where [.conflict, .contention].contains(code):
            (level, kind, suffix) = (.warning, .conflict, ": \(code)")
        case .failed(let code?) where code != .cancelled:
            (level, kind, suffix) = (.error, .operation, ": \(code)")
        case .failed(let code):
            // The caller cancelled the operation, or its block threw an error of its own to roll back.
            guard isSlow else { return nil }
            (level, kind, suffix) = (.info, .operation, code.map { ": \($0)" } ?? ": rolled back")
        case .done:
            guard isSlow || report.isRetry else { return nil }
            level = isSlow ? Self.level(slowerThan: threshold) : .info
            kind = report.isRetry ? .retry : .operation
        }
        let times = "\(Self.text(report.ran)) waited=\(Self.text(report.waited))"
        details = "\(times) \(report.kind) \(report.identifier)\(suffix)"
    }

    /// Returns the line without its line break; control characters in names and statements become spaces.
    func text(at time: Date) -> String {
        let time = CivilTime(microseconds: Int64((time.timeIntervalSince1970 * 1_000_000).rounded())).text
        let scalars = "\(time) \(level) \(kind) \(details)".unicodeScalars.map {
            $0.properties.generalCategory == .control ? " " : $0
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// The level of an event that is logged for its duration: a log of all events doesn't warn about each.
    private static func level(slowerThan threshold: Duration) -> Level {
        threshold > .zero ? .warning : .info
    }

    private static func text(_ duration: Duration) -> String {
        String(format: "%.1fms", duration / .milliseconds(1))
    }
}
