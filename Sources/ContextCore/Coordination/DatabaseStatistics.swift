/// The use of a database's connections and caches at one time, for metrics.
public struct DatabaseStatistics: Sendable, Hashable {
    /// The number of connections by their use.
    public struct Connections: Sendable, Hashable {
        /// The maximum number of connections; nil if only ``StoreOptions`` limits them.
        public var limit: Int?
        /// The number of connections that sessions use.
        public var inUse: Int
        /// The number of open connections that no session uses.
        public var idle: Int
        /// The number of sessions that wait for a connection.
        public var waiting: Int

        /// Creates numbers.
        public init(limit: Int?, inUse: Int, idle: Int, waiting: Int) {
            self.limit = limit
            self.inUse = inUse
            self.idle = idle
            self.waiting = waiting
        }
    }

    /// The number of lookups in a cache since the store was opened.
    public struct Cache: Sendable, Hashable {
        /// The number of lookups that found an entry.
        public var hits: Int
        /// The number of lookups that found none.
        public var misses: Int

        /// Creates numbers.
        public init(hits: Int = 0, misses: Int = 0) {
            self.hits = hits
            self.misses = misses
        }

        package static func += (left: inout Cache, right: Cache) {
            left.hits += right.hits
            left.misses += right.misses
        }
    }

    /// The connections of the store, and of other stores that share them.
    public var connections: Connections
    /// The cache of compiled requests: fetches and aggregates that differ only in their constants share an entry.
    public var requests: Cache
    /// The caches of prepared statements, of which each connection has one.
    ///
    /// Lookups are counted when their session ends. Those of a few statements that every session runs, such as `BEGIN`, may be missing.
    public var statements: Cache

    /// Creates statistics.
    public init(connections: Connections, requests: Cache, statements: Cache) {
        self.connections = connections
        self.requests = requests
        self.statements = statements
    }
}
