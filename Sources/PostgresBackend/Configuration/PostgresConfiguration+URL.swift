#if Postgres
import ContextCore

extension PostgresConfiguration {
    /// The keys that a URL's query can have.
    static let optionKeys: Set<String> = ConnectionKeyword.passed.union(ConnectionKeyword.synonyms.keys)
        .union([
            "schema", "tls", "target", "timeout", "connect_timeout", "statement_timeout",
            "idle_in_transaction_session_timeout",
            "isolation",
            "prepare", "pooler",
            "history", "notify", "service",
            "host", "hostaddr", "port", "connections", "connection_age", "share_connections", "replicas",
            "replica_patience",
        ])

    /// Creates a configuration from a URL, its service and the environment variables of libpq.
    ///
    /// - Throws: `StoreError.Code.configuration` for an invalid value; the error names the most similar valid value.
    init(_ url: StoreURL, _ environment: ConfigurationEnvironment = .process) throws(StoreError) {
        let address = try ServerAddress(url, environment)
        let settings = address.settings
        if address.database?.contains("/") == true {
            throw StoreError(
                .configuration, "The path of a PostgreSQL URL must be the name of one database.",
                remedy: "Write the URL like postgres://app@db.example.com/games.")
        }
        self.init(
            hosts: address.hosts, replicas: try Self.replicas(of: settings),
            replicaTimeout: try Self.duration("replica_patience", of: settings) ?? .milliseconds(100),
            user: address.user, password: address.password,
            database: address.database, schema: settings["schema"] ?? "public",
            tls: try Self.choice("tls", of: settings) ?? (address.hasRemoteHostAddress ? .verifyFull : nil),
            target: try Self.choice("target", of: settings),
            timeout: try Self.duration("timeout", of: settings) ?? .seconds(30),
            statementTimeout: try Self.limit(
                "statement_timeout", of: settings, otherwise: Self.defaultStatementTimeout),
            idleInTransactionTimeout: try Self.limit(
                "idle_in_transaction_session_timeout", of: settings, otherwise: Self.defaultIdleTimeout),
            isolation: try Self.choice("isolation", of: settings) ?? .snapshot,
            preparesStatements: try Self.choice("prepare", of: settings) != Switch.off,
            isPooled: try Self.choice("pooler", of: settings) == Switch.on,
            keepsHistory: try Self.choice("history", of: settings) != Switch.off,
            notifies: try Self.choice("notify", of: settings) != Switch.off,
            connections: try Self.count("connections", of: settings) ?? 8,
            sharesConnections: try Self.choice("share_connections", of: settings) == Switch.on,
            maximumAge: try Self.duration("connection_age", of: settings) ?? .seconds(1800))
        connectTimeout = try Self.seconds("connect_timeout", of: settings)
        connectionSettings = settings.filter { ConnectionKeyword.passed.contains($0.key) }
        try checkNames()
    }

    private enum Switch: String, CaseIterable {
        case on, off
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, of settings: [String: String]
    ) throws(StoreError) -> Choice? where Choice.RawValue == String {
        guard let text = settings[key] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let near = Spelling.nearest(to: text, among: names).map { "Did you mean \($0)? " } ?? ""
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: near + "Valid values are \(names.joined(separator: ", ")).")
    }

    /// Returns the servers of the setting `replicas`: `db2.example.com:5433,db3.example.com`.
    private static func replicas(of settings: [String: String]) throws(StoreError) -> [StoreURL.Host] {
        guard let text = settings["replicas"] else { return [] }
        if !text.contains(where: { "/@?".contains($0) }),
            let hosts = try? StoreURL("postgres://\(text)/").hosts,
            !hosts.isEmpty
        {
            return hosts
        }
        throw StoreError(
            .configuration, "The setting replicas of a PostgreSQL URL isn't a list of servers.",
            remedy:
                "Write the setting like db2.example.com:5433,db3.example.com. All servers have the same login and database."
        )
    }

    private static func count(_ key: String, of settings: [String: String]) throws(StoreError) -> Int? {
        guard let text = settings[key] else { return nil }
        if let number = Int(text), (2...1000).contains(number) { return number }
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: "Use a number from 2 to 1000.")
    }

    /// Returns a setting in whole seconds, as libpq defines it; nil if it is 0, which means no limit.
    private static func seconds(_ key: String, of settings: [String: String]) throws(StoreError) -> Duration?
    {
        guard let text = settings[key] else { return nil }
        if let number = Int32(text), (0...2_000_000).contains(number) {
            return number == 0 ? nil : .seconds(number)
        }
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: "Use a whole number of seconds, or 0 for no limit.")
    }

    /// Returns a time limit; nil if the setting is `none`.
    private static func limit(
        _ key: String, of settings: [String: String], otherwise usual: Duration
    ) throws(StoreError) -> Duration? {
        settings[key] == "none" ? nil : try duration(key, of: settings) ?? usual
    }

    private static func duration(_ key: String, of settings: [String: String]) throws(StoreError) -> Duration?
    {
        guard let text = settings[key] else { return nil }
        // The server stores milliseconds in 32 bits.
        if let duration = Duration(text: text, atMost: .milliseconds(Int32.max)), duration > .zero {
            return duration
        }
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: "Write the time like 30s, 250ms or 5m.")
    }
}
#endif
