#if Postgres
public import ContextCore

/// The servers and the schema of a store, the login, and the settings of its connections and transactions.
public struct PostgresConfiguration: Sendable, Hashable {
    /// The encryption of connections and the verification of the server.
    public enum TLS: String, Sendable, Hashable, CaseIterable {
        /// No encryption.
        case disable
        /// TLS without verification of the server's certificate.
        case require
        /// TLS with a server certificate that a trusted authority has signed.
        case verifyAuthority = "verify-ca"
        /// TLS with a server certificate that a trusted authority has signed for the host name.
        case verifyFull = "verify-full"
    }

    /// The kind of server to connect to, if several are configured.
    public enum Target: String, Sendable, Hashable, CaseIterable {
        /// The first server that answers.
        case any
        /// A server that accepts writes.
        case readWrite = "read-write"
        /// A server that doesn't accept writes.
        case readOnly = "read-only"
        /// A server that isn't a standby.
        case primary
        /// A standby server.
        case standby
        /// A standby server if one can be reached, otherwise any server.
        case preferStandby = "prefer-standby"
    }

    /// The servers, in the order in which they are tried; empty for libpq's default, a socket of this machine.
    public var hosts: [StoreURL.Host]
    /// The read-only servers, which replicate ``hosts`` and serve read sessions in turn.
    ///
    /// A read session sees everything that this store has saved or read before. It waits up to ``replicaTimeout`` for a replica that
    /// lags, and then reads from ``hosts``.
    public var replicas: [StoreURL.Host]
    /// The longest time that a read session waits for a replica that lags.
    public var replicaTimeout: Duration
    /// The role that logs in; nil for libpq's default.
    public var user: String?
    /// The password; nil if `.pgpass`, a service file or the environment contains it.
    public var password: String?
    /// The database; nil for libpq's default.
    public var database: String?
    /// The schema that holds the store's tables.
    public var schema: String
    /// The encryption of connections and the verification of the server.
    public var tls: TLS
    /// The kind of server to connect to.
    public var target: Target
    /// The limit for connecting to a server, and for waiting for locked rows, other commits and a free connection.
    ///
    /// If a server sends nothing about a statement for this long, another connection checks whether the server still works on it.
    public var timeout: Duration
    /// The limit for connecting to a server, if it differs from ``timeout``.
    public var connectTimeout: Duration?
    /// Further libpq keywords to pass on unchanged, such as `sslrootcert`, `sslcert`, `sslkey`, `passfile`.
    public var connectionSettings: [String: String] = [:]
    /// The longest time that a statement may take before it fails with `StoreError.Code.timeout`; nil for no limit.
    ///
    /// Maintenance commands have no limit unless this property differs from ``defaultStatementTimeout``; migrations have none at all.
    public var statementTimeout: Duration?
    /// The longest time that a transaction may be idle before the server ends it; nil for no limit.
    ///
    /// A program that hangs in the middle of a block would otherwise block other writers, and keep the server from vacuuming.
    /// The limit doesn't apply to pinned contexts.
    public var idleInTransactionTimeout: Duration?
    /// The isolation of writes that don't specify one.
    public var isolation: WriteIsolation
    /// Whether statements are prepared on the server.
    ///
    /// Turn this off for a pooler that assigns a server connection per transaction and doesn't support prepared statements.
    public var preparesStatements: Bool
    /// Whether connections go through a pooler that assigns a server connection per transaction, like PgBouncer's transaction mode.
    ///
    /// Then no prepared statement and no setting outlives a transaction, only TCP keepalives detect that the server is gone, and
    /// statements can't be cancelled.
    public var isPooled: Bool
    /// Whether each save is recorded in a history that can be fetched.
    public var keepsHistory: Bool
    /// Whether each save sends a `NOTIFY` to other processes with the store open, and the store listens for theirs.
    ///
    /// Without notifications the store polls for saves of other processes: `StoreOptions.watchInterval`. Listening takes one more
    /// connection; behind a pooler the store doesn't listen. A commit with a `NOTIFY` takes a lock of the whole server, including all
    /// its databases, so it waits for other such commits. Turn it off if many stores or other programs commit notifications there.
    public var notifies: Bool
    /// The log of the statements that are sent to the server.
    public var statementLog: StatementLog?
    /// The largest number of simultaneous connections.
    public var connections: Int
    /// Whether the store shares its connections with other stores of this process that use the same database, login and settings.
    ///
    /// Then ``connections`` is the limit for all of them together. Their schemas, ``isolation``, ``keepsHistory``, ``notifies``,
    /// replicas and statement logs may differ. Connections to replicas are shared in a separate pool.
    public var sharesConnections: Bool
    /// The age at which a connection is replaced.
    public var maximumAge: Duration
    /// Whether each connection tries the servers in random order, instead of in the order of ``hosts``.
    var balancesHosts = false
    /// The longest time that an idle connection stays open.
    public var idleLimit: Duration

    /// Creates a configuration.
    ///
    /// The default of `tls` is ``TLS/disable`` if all servers are this machine, and ``TLS/verifyFull`` otherwise. The default of
    /// `target` is ``Target/readWrite`` for several hosts, and ``Target/any`` for one.
    public init(
        hosts: [StoreURL.Host] = [], replicas: [StoreURL.Host] = [],
        replicaTimeout: Duration = .milliseconds(100), user: String? = nil, password: String? = nil,
        database: String? = nil,
        schema: String = "public", tls: TLS? = nil, target: Target? = nil,
        timeout: Duration = .seconds(30), statementTimeout: Duration? = Self.defaultStatementTimeout,
        idleInTransactionTimeout: Duration? = Self.defaultIdleTimeout,
        isolation: WriteIsolation = .snapshot, preparesStatements: Bool = true, isPooled: Bool = false,
        keepsHistory: Bool = true, notifies: Bool = true, connections: Int = 8,
        sharesConnections: Bool = false, maximumAge: Duration = .seconds(1800),
        idleLimit: Duration = .seconds(600), statementLog: StatementLog? = nil
    ) {
        self.hosts = hosts
        self.replicas = replicas
        self.replicaTimeout = replicaTimeout
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

    /// The default of ``statementTimeout``: five minutes.
    public static let defaultStatementTimeout = Duration.seconds(300)
    /// The default of ``idleInTransactionTimeout``: ten minutes.
    public static let defaultIdleTimeout = Duration.seconds(600)

    /// The configuration without a statement timeout that equals the default, for maintenance such as reindexing.
    var withoutDefaultStatementTimeout: PostgresConfiguration {
        var configuration = self
        if statementTimeout == Self.defaultStatementTimeout { configuration.statementTimeout = nil }
        return configuration
    }
}

extension PostgresConfiguration {
    /// The maximum number of bytes of a name; the server truncates longer names without an error.
    static let maximumNameLength = 63

    /// Checks the lengths of the names of the schema and the database.
    ///
    /// - Throws: `StoreError.Code.configuration` if a name is too long; two such names could mean the same store.
    func checkNames() throws(StoreError) {
        for (kind, name) in [("schema", schema), ("database", database ?? "")] {
            if name.utf8.count <= Self.maximumNameLength { continue }
            throw StoreError(
                .configuration,
                "The name of the \(kind) “\(name)” is \(name.utf8.count) bytes long, and PostgreSQL allows \(Self.maximumNameLength).",
                remedy:
                    "Use a shorter name. The server would truncate this one to the name of another \(kind).")
        }
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    /// The server, database and schema, without the password.
    public var description: String {
        let servers = hosts.isEmpty ? "this machine" : hosts.map(\.description).joined(separator: ", ")
        return "PostgreSQL on \(servers), database \(database ?? "by default"), schema \(schema)"
    }

    /// A mirror that hides the password from `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }
}

extension PostgresConfiguration {
    /// The servers, database and schema as a text, which identifies the store whatever the login and the other settings are.
    var storeIdentity: String {
        let servers = hosts.map { "\($0.name.lowercased()):\($0.port ?? 5432)" }.joined(separator: ",")
        return "\(servers)/\(database ?? user ?? "")/\(schema)"
    }
}

extension PostgresConfiguration {
    /// The name of the database and the schema; libpq's default database is that of the user.
    var databaseName: DatabaseName {
        let names = [database ?? user, schema].compactMap(\.self)
        return DatabaseName(system: "postgresql", namespace: names.joined(separator: "|"))
    }
}

extension StoreURL.Host {
    /// Whether the server is this machine.
    var isThisMachine: Bool {
        name.hasPrefix("/") || name == "localhost" || name.hasPrefix("127.") || name == "::1" || name.isEmpty
    }
}
#endif
