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

    /// The servers, in the order in which they are tried; empty for libpq's own default, a socket of this machine.
    public var hosts: [StoreURL.Host]
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
    /// How long a server is tried, and how long another writer is waited for.
    public var timeout: Duration
    /// Whether statements are prepared on the server.
    ///
    /// A pooler that gives each transaction another connection wants them not to be.
    public var preparesStatements: Bool
    /// Whether each save is written to a history that can be fetched.
    public var keepsHistory: Bool
    /// How many connections there may be at once.
    public var connections: Int

    /// Makes a configuration.
    ///
    /// Without `tls` the connection is fully verified, or not encrypted where the server is this machine.
    public init(
        hosts: [StoreURL.Host] = [], user: String? = nil, password: String? = nil, database: String? = nil,
        schema: String = "public", tls: TLS? = nil, timeout: Duration = .seconds(30),
        preparesStatements: Bool = true, keepsHistory: Bool = true, connections: Int = 8
    ) {
        self.hosts = hosts
        self.user = user
        self.password = password
        self.database = database
        self.schema = schema
        self.tls = tls ?? (hosts.allSatisfy(\.isThisMachine) ? .disable : .verifyFull)
        self.timeout = timeout
        self.preparesStatements = preparesStatements
        self.keepsHistory = keepsHistory
        self.connections = max(2, connections)
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

extension StoreURL.Host {
    /// Whether the server is reached without leaving this machine.
    var isThisMachine: Bool {
        name.hasPrefix("/") || name == "localhost" || name.hasPrefix("127.") || name == "::1" || name.isEmpty
    }
}
#endif
