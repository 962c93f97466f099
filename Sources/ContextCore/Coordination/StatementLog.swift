/// Hears of the statements that a store sends to its database.
///
/// ```swift
/// let slow = StatementLog(threshold: .milliseconds(100)) { print($0.duration, $0.text) }
/// let store = try await Store.open(url, backends: [.sqlite], model: [Game.self], options: StoreOptions(statementLog: slow))
/// ```
public final class StatementLog: Sendable, Hashable {
    /// One statement that was run.
    public struct Entry: Sendable {
        /// Its text, with placeholders in the place of values unless the log includes them.
        public let text: String
        /// How long it took, the reading of its rows included.
        public let duration: Duration
        /// How many rows it answered.
        public let rows: Int

        package init(text: String, duration: Duration, rows: Int) {
            self.text = text
            self.duration = duration
            self.rows = rows
        }
    }

    /// The shortest time that is worth an entry.
    public let threshold: Duration
    /// Whether the values are in the text: they may be secrets.
    public let includesValues: Bool
    private let handler: @Sendable (Entry) -> Void

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - threshold: Statements that take less are not told; by default all are.
    ///   - includesValues: Whether values stand in the text. They are what people keep in the store, so think twice.
    ///   - handler: Gets each statement when it is done, on the thread that ran it. It must be quick, and must not use the store.
    public init(
        threshold: Duration = .zero, includesValues: Bool = false,
        handler: @escaping @Sendable (Entry) -> Void
    ) {
        self.threshold = threshold
        self.includesValues = includesValues
        self.handler = handler
    }

    package func report(_ entry: Entry) { handler(entry) }

    /// Whether two logs are the same one.
    public static func == (left: StatementLog, right: StatementLog) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
