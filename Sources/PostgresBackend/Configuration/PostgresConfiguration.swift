#if Postgres
public import ContextCore

/// Says where a store's server is, who logs in, and how it is used.
public struct PostgresConfiguration: Sendable, Hashable {
    /// How the connection is kept from others' eyes.
    public enum TLS: String, Sendable, Hashable, CaseIterable {
        /// Not at all.
        case disable
        /// By TLS, without a look at who the server is.
        case require
        /// By TLS, with a certificate of a known authority.
        case verifyAuthority = "verify-ca"
        /// By TLS, with a certificate of a known authority for the server's own name.
        case verifyFull = "verify-full"
    }

    /// What kind of server the store is on, where several are named.
    public enum Target: String, Sendable, Hashable, CaseIterable {
        /// Any that answers.
        case any
        /// One that takes saves.
        case readWrite = "read-write"
        /// One that takes none.
        case readOnly = "read-only"
        /// One that is no standby.
        case primary
        /// One that follows a primary.
        case standby
        /// A standby, or any other where there is none.
        case preferStandby = "prefer-standby"
    }

    /// The servers, in the order in which they are tried; empty for libpq's own default, a socket of this machine.
    public var hosts: [StoreURL.Host]
    /// Servers that follow the first ones, for sessions that only read; they are used in turn.
    ///
    /// Such a session sees all that this store has saved or seen before: it waits a moment for a server that is behind, and goes to the
    /// first ones where that takes too long.
    public var replicas: [StoreURL.Host]
    /// How long a replica that is behind is waited for.
    public var replicaPatience: Duration
    /// Who logs in; nil for libpq's own default.
    public var user: String?
    /// The secret of who logs in; nil where `.pgpass`, a service file or the environment has it.
    public var password: String?
    /// The database; nil for libpq's own default.
    public var database: String?
    /// The schema that holds the store's tables.
    public var schema: String
    /// How the connection is kept from others' eyes.
    public var tls: TLS
    /// What kind of server it has to be.
    public var target: Target
    /// How long the library tries a server, waits for locked rows, for other commits and for a free connection, and how long a server may
    /// say nothing about a statement until another connection asks whether it still works on it.
    public var timeout: Duration
    /// How long a server is tried, where that is another time than ``timeout``.
    public var connectTimeout: Duration?
    /// Further keywords of libpq's that are handed on to it as they are, such as `sslrootcert`, `sslcert`, `sslkey`, `passfile`.
    public var connectionSettings: [String: String] = [:]
    /// How long a statement may take before `StoreError.Code.timeout`; nil for as long as it likes.
    ///
    /// Migrations and the commands that maintain a store take as long as they need, unless another time than the usual one is given.
    public var statementTimeout: Duration?
    /// How long a transaction may wait for its program until the server ends it; nil for as long as it likes.
    ///
    /// A program that hangs in the middle of a block would otherwise keep others from writing, and the server from removing old rows.
    /// A pinned context may wait as long as it likes.
    public var idleInTransactionTimeout: Duration?
    /// What a write is protected from that doesn't say.
    public var isolation: WriteIsolation
    /// Whether statements are prepared on the server.
    ///
    /// A pooler that gives each transaction another connection wants them not to be.
    public var preparesStatements: Bool
    /// Whether a pooler that gives each transaction another connection stands in between, such as PgBouncer's transaction mode.
    ///
    /// Then nothing outlives a transaction: no prepared statement, and no setting. A server that is gone is noticed by the system's
    /// own means alone, and a statement can't be cancelled.
    public var isPooled: Bool
    /// Whether each save is written to a history that can be fetched.
    public var keepsHistory: Bool
    /// Whether each save rings for others who have the store open, and theirs are heard here.
    ///
    /// Otherwise they are noticed when they are looked for: `StoreOptions.watchInterval`. To hear takes one connection more, and none
    /// behind a pooler, which passes nothing on. To ring takes a lock of the whole server, all its databases included, while a save is
    /// committed: it waits for whoever else is committing a `NOTIFY` there, and is better off where many stores or other programs do.
    public var notifies: Bool
    /// What hears of the statements that are sent to the server.
    public var statementLog: StatementLog?
    /// How many connections there may be at once.
    public var connections: Int
    /// Whether the store shares its connections with other stores of this process that log in to one database with the same settings.
    ///
    /// Then ``connections`` is how many all of them have. Their schemas, ``isolation``, ``keepsHistory``, ``notifies``, replicas and statement logs may differ. Connections to replicas are
    /// shared likewise, in a pool of their own.
    public var sharesConnections: Bool
    /// How old a connection may become; afterwards another takes its place.
    public var maximumAge: Duration
    /// Whether connections are spread over the servers, instead of going to the first that answers.
    var sharesHosts = false
    /// How long a connection may be idle until it is closed.
    public var idleLimit: Duration

    /// Makes a configuration.
    ///
    /// Without `tls` the connection is fully verified, or not encrypted where the server is this machine. Without `target` one that
    /// takes saves is looked for where several servers are named, and any server will do where there is one.
    public init(
        hosts: [StoreURL.Host] = [], replicas: [StoreURL.Host] = [],
        replicaPatience: Duration = .milliseconds(100), user: String? = nil, password: String? = nil,
        database: String? = nil,
        schema: String = "public", tls: TLS? = nil, target: Target? = nil,
        timeout: Duration = .seconds(30), statementTimeout: Duration? = Self.usualStatementTimeout,
        idleInTransactionTimeout: Duration? = Self.usualIdleTimeout,
        isolation: WriteIsolation = .snapshot, preparesStatements: Bool = true, isPooled: Bool = false,
        keepsHistory: Bool = true, notifies: Bool = true, connections: Int = 8,
        sharesConnections: Bool = false, maximumAge: Duration = .seconds(1800),
        idleLimit: Duration = .seconds(600), statementLog: StatementLog? = nil
    ) {
        self.hosts = hosts
        self.replicas = replicas
        self.replicaPatience = replicaPatience
        self.user = user
        self.password = password
        self.database = database
        self.schema = schema
        self.tls = tls ?? ((hosts + replicas).allSatisfy(\.isThisMachine) ? .disable : .verifyFull)
        self.target = target ?? (hosts.count > 1 ? .readWrite : .any)
        self.timeout = timeout
        self.statementTimeout = statementTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.isolation = isolation
        self.preparesStatements = preparesStatements
        self.isPooled = isPooled
        self.keepsHistory = keepsHistory
        self.notifies = notifies
        self.connections = max(2, connections)
        self.sharesConnections = sharesConnections
        self.maximumAge = maximumAge
        self.idleLimit = idleLimit
        self.statementLog = statementLog
    }

    /// How long a statement may take where nothing is said: five minutes.
    public static let usualStatementTimeout = Duration.seconds(300)
    /// How long a transaction may wait for its program where nothing is said: ten minutes.
    public static let usualIdleTimeout = Duration.seconds(600)

    /// The configuration for work that takes as long as it needs, such as an index that is made anew.
    var withoutUsualDeadline: PostgresConfiguration {
        var configuration = self
        if statementTimeout == Self.usualStatementTimeout { configuration.statementTimeout = nil }
        return configuration
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    /// The server and the schema; never the password.
    public var description: String {
        let servers = hosts.isEmpty ? "this machine" : hosts.map(\.description).joined(separator: ", ")
        return "PostgreSQL on \(servers), database \(database ?? "by default"), schema \(schema)"
    }

    /// Hides the password from `dump` and from debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }
}

extension PostgresConfiguration {
    /// Which store is meant, apart from who logs in and how it is used.
    var place: String {
        let servers = hosts.map { "\($0.name.lowercased()):\($0.port ?? 5432)" }.joined(separator: ",")
        return "\(servers)/\(database ?? user ?? "")/\(schema)"
    }
}

extension StoreURL.Host {
    /// Whether the server is reached without leaving this machine.
    var isThisMachine: Bool {
        name.hasPrefix("/") || name == "localhost" || name.hasPrefix("127.") || name == "::1" || name.isEmpty
    }
}
#endif
