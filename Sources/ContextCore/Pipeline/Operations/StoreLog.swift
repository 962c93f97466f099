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
    /// The log that receives the statements; nil to log none.
    public let statementLog: StatementLog?
    /// The log that receives the operations; nil to log none.
    public let operationLog: OperationLog?

    /// Creates a log of two logs, which may write to the same place.
    public init(statementLog: StatementLog? = nil, operationLog: OperationLog? = nil) {
        self.statementLog = statementLog
        self.operationLog = operationLog
    }

    /// Returns a log that passes everything to several logs: `.combining(.standardError(), counters.log)`.
    public static func combining(_ logs: StoreLog...) -> StoreLog {
        let (statementLogs, operationLogs) = (
            logs.compactMap(\.statementLog), logs.compactMap(\.operationLog)
        )
        return StoreLog(
            statementLog: statementLogs.count > 1 ? .combining(statementLogs) : statementLogs.first,
            operationLog: operationLogs.count > 1 ? .combining(operationLogs) : operationLogs.first)
    }

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
        events(slowerThan: threshold, includesValues: includesValues) { handler($0.line(at: Date())) }
    }

    /// Returns a log that passes the same events as values to a function, for logs with levels and structured data.
    ///
    /// - Parameters:
    ///   - threshold: The minimum duration of a logged statement or operation; by default all are logged.
    ///   - includesValues: Whether statements include values. These are the users' data, so consider where the log goes.
    ///   - handler: Receives each event, on the thread on which it ended. It must be fast, and must not use the store.
    public static func events(
        slowerThan threshold: Duration = .zero, includesValues: Bool = false,
        _ handler: @escaping @Sendable (Event) -> Void
    ) -> StoreLog {
        StoreLog(
            statementLog: StatementLog(threshold: threshold, includesValues: includesValues) { entry in
                handler(Event(entry, slowerThan: threshold))
            },
            operationLog: OperationLog { report in
                if let event = Event(report, slowerThan: threshold) { handler(event) }
            })
    }
}
