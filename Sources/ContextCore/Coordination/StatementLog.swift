/// A callback for the statements that a store sends to its database.
///
/// ```swift
/// let slow = StatementLog(threshold: .milliseconds(100)) { print($0.duration, $0.text) }
/// let store = try await Store.open(url, backends: [.sqlite], model: [Game.self], options: StoreOptions(statementLog: slow))
/// ```
public final class StatementLog: Sendable, Hashable {
    /// An executed statement.
    public struct Entry: Sendable {
        /// The text, with placeholders for values unless the log includes them.
        public let text: String
        /// The time that it took, including reading its rows.
        public let duration: Duration
        /// The number of rows that it returned.
        public let rows: Int
        /// The database that executed it.
        public let database: DatabaseName

        package init(text: String, duration: Duration, rows: Int, database: DatabaseName) {
            self.text = text
            self.duration = duration
            self.rows = rows
            self.database = database
        }
    }

    /// Receives the statements of a log.
    private enum Receiver: Sendable {
        case handler(@Sendable (Entry) -> Void)
        case logs([StatementLog])
    }

    /// The minimum duration of a logged statement.
    public let threshold: Duration
    /// Whether the text includes values, which may be secrets.
    public let includesValues: Bool
    private let receiver: Receiver

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - threshold: The minimum duration of a logged statement; by default all statements are logged.
    ///   - includesValues: Whether the text includes values. These are the users' data, so consider where the log goes.
    ///   - handler: Receives each statement when it is finished, on the thread that ran it. It must be fast, and must not use the store.
    public convenience init(
        threshold: Duration = .zero, includesValues: Bool = false,
        handler: @escaping @Sendable (Entry) -> Void
    ) {
        self.init(threshold, includesValues: includesValues, .handler(handler))
    }

    private init(_ threshold: Duration, includesValues: Bool, _ receiver: Receiver) {
        self.threshold = threshold
        self.includesValues = includesValues
        self.receiver = receiver
    }

    /// Returns a log that passes each statement to the given logs, by their thresholds, and with values only to logs that include them.
    public static func combining(_ logs: [StatementLog]) -> StatementLog {
        StatementLog(
            logs.map(\.threshold).min() ?? .zero, includesValues: logs.contains(where: \.includesValues),
            .logs(logs))
    }

    /// Reports a finished statement, if it has reached the threshold.
    ///
    /// - Parameter text: Returns the text, with values if its argument is true.
    package func report(
        _ duration: Duration, rows: Int, in database: @autoclosure () -> DatabaseName,
        text: (_ includesValues: Bool) -> String
    ) {
        guard duration >= threshold else { return }
        switch receiver {
        case .handler(let handler):
            handler(
                Entry(text: text(includesValues), duration: duration, rows: rows, database: database()))
        case .logs(let logs):
            for log in logs { log.report(duration, rows: rows, in: database(), text: text) }
        }
    }

    /// Whether two logs are the same instance.
    public static func == (left: StatementLog, right: StatementLog) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
