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

        package init(text: String, duration: Duration, rows: Int) {
            self.text = text
            self.duration = duration
            self.rows = rows
        }
    }

    /// The minimum duration of a logged statement.
    public let threshold: Duration
    /// Whether the text includes values, which may be secrets.
    public let includesValues: Bool
    private let handler: @Sendable (Entry) -> Void

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - threshold: The minimum duration of a logged statement; by default all statements are logged.
    ///   - includesValues: Whether the text includes values. These are the users' data, so consider where the log goes.
    ///   - handler: Receives each statement when it is finished, on the thread that ran it. It must be fast, and must not use the store.
    public init(
        threshold: Duration = .zero, includesValues: Bool = false,
        handler: @escaping @Sendable (Entry) -> Void
    ) {
        self.threshold = threshold
        self.includesValues = includesValues
        self.handler = handler
    }

    package func report(_ entry: Entry) { handler(entry) }

    /// Whether two logs are the same instance.
    public static func == (left: StatementLog, right: StatementLog) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
