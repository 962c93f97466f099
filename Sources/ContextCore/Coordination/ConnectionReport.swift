/// Who has a store's connections, and who waits for one.
///
/// One that is held for longer than its holder can need it was forgotten: a session that nobody has ended.
public struct ConnectionReport: Sendable, Hashable {
    /// Somebody who has a connection.
    public struct Holder: Sendable, Hashable {
        /// The name of the operation.
        public let identifier: String
        /// For how long it has had the connection.
        public let time: Duration

        package init(identifier: String, time: Duration) {
            self.identifier = identifier
            self.time = time
        }
    }

    /// How many connections there may be.
    public let limit: Int
    /// How many are open and lent to nobody.
    public let idle: Int
    /// Who has the others, the longest holder first.
    public let holders: [Holder]
    /// Who waits for one, in the order in which they will get it.
    public let waiting: [String]

    package init(limit: Int, idle: Int, holders: [Holder], waiting: [String]) {
        self.limit = limit
        self.idle = idle
        self.holders = holders
        self.waiting = waiting
    }
}

extension ConnectionReport: CustomStringConvertible {
    /// The numbers, and the holders' names.
    public var description: String {
        let names = holders.map { "\($0.identifier) for \(Int(($0.time / .milliseconds(1)).rounded())) ms" }
        let held = names.isEmpty ? "" : ", held by: " + names.joined(separator: ", ")
        return
            "\(holders.count) of \(limit) connections in use, \(idle) idle, \(waiting.count) waiting\(held)"
    }
}
