/// The use of a store's connections, and the operations that wait for one.
///
/// A connection that is in use for longer than its operation takes was leaked, by a session that was not ended.
public struct ConnectionReport: Sendable, Hashable {
    /// An operation that uses a connection.
    public struct Holder: Sendable, Hashable {
        /// The name of the operation.
        public let identifier: String
        /// How long it has used the connection.
        public let time: Duration

        package init(identifier: String, time: Duration) {
            self.identifier = identifier
            self.time = time
        }
    }

    /// The maximum number of connections.
    public let limit: Int
    /// The number of open connections that are not in use.
    public let idle: Int
    /// The operations that use the other connections, longest first.
    public let holders: [Holder]
    /// The operations that wait for a connection, in order.
    public let waiting: [String]

    package init(limit: Int, idle: Int, holders: [Holder], waiting: [String]) {
        self.limit = limit
        self.idle = idle
        self.holders = holders
        self.waiting = waiting
    }
}

extension ConnectionReport: CustomStringConvertible {
    /// The numbers, and the names of the operations.
    public var description: String {
        let names = holders.map { "\($0.identifier) for \(Int(($0.time / .milliseconds(1)).rounded())) ms" }
        let users = names.isEmpty ? "" : ", used by: " + names.joined(separator: ", ")
        return
            "\(holders.count) of \(limit) connections in use, \(idle) idle, \(waiting.count) waiting\(users)"
    }
}
