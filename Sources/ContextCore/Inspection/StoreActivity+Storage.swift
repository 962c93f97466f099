extension StoreActivity {
    /// A server that receives the database's changes.
    public struct Replica: Sendable, Hashable {
        /// The name by which the replica connects.
        public var name: String
        /// The network address of the replica.
        public var address: String?
        /// The state of the connection, such as `streaming`.
        public var state: String?
        /// Whether commits wait for the replica, such as `async` or `sync`.
        public var synchrony: String?
        /// How many bytes of the log the replica has not received.
        public var missingBytes: Int64?
        /// How many bytes of the log the replica has not applied, so that its readers don't see them.
        public var unappliedBytes: Int64?
        /// How long a recent commit took until the replica had applied it.
        public var lag: Duration?

        /// Creates a replica.
        public init(name: String) { self.name = name }
    }

    /// The connections to a server.
    public struct ConnectionUse: Sendable, Hashable {
        /// The number of connections of all programs to all databases of the server.
        public var used: Int
        /// The number of connections that the server allows.
        public var limit: Int

        /// Creates a value.
        public init(used: Int, limit: Int) {
            self.used = used
            self.limit = limit
        }
    }

    /// The cost of all runs of a statement since the server's statistics were reset.
    public struct StatementCost: Sendable, Hashable {
        /// The statement; nil if the report contains no statements, or if another role ran it.
        public var statement: String?
        /// The number of runs.
        public var calls: Int64
        /// The time of all runs together.
        public var total: Duration
        /// The time of a run on average.
        public var mean: Duration

        /// Creates a cost.
        public init(statement: String?, calls: Int64, total: Duration, mean: Duration) {
            self.statement = statement
            self.calls = calls
            self.total = total
            self.mean = mean
        }
    }

    /// The write-ahead log of a database in a file.
    public struct WriteAheadLog: Sendable, Hashable {
        /// The size of the log's file, which stays as large as the longest log was.
        public var bytes: Int64
        /// The number of pages in the log; nil if no process has the database open.
        public var pages: Int64?
        /// The number of these pages that have not been copied to the database's file.
        public var uncopiedPages: Int64?

        /// Creates a value.
        public init(bytes: Int64, pages: Int64?, uncopiedPages: Int64?) {
            self.bytes = bytes
            self.pages = pages
            self.uncopiedPages = uncopiedPages
        }
    }

    /// The pages of a database's file.
    public struct PageUse: Sendable, Hashable {
        /// The size of a page in bytes.
        public var size: Int64
        /// The number of pages.
        public var count: Int64
        /// The number of pages that contain nothing, which new data use before the file grows.
        public var free: Int64

        /// Creates a value.
        public init(size: Int64, count: Int64, free: Int64) {
            self.size = size
            self.count = count
            self.free = free
        }
    }
}
