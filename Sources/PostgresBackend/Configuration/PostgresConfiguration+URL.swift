#if Postgres
import ContextCore

extension PostgresConfiguration {
    /// The keys of a URL's settings.
    static let optionKeys: Set<String> = [
        "schema", "tls", "target", "timeout", "statement_timeout", "isolation", "prepare", "pooler",
        "history", "notify",
        "host", "connections", "connection_age", "replicas", "replica_patience",
    ]

    /// Reads a URL.
    ///
    /// - Throws: `StoreError.Code.configuration` for a value that a setting doesn't have, with the nearest one that it has.
    init(_ url: StoreURL) throws(StoreError) {
        var hosts = url.hosts
        // A folder of sockets can't stand where a server's name does, so it has a setting of its own, as in libpq's URLs.
        if let folder = url.options["host"] {
            hosts = [StoreURL.Host(folder, port: hosts.first?.port)]
        }
        let database = url.databaseName
        if database.contains("/") {
            throw StoreError(
                .configuration, "A PostgreSQL URL names one database.",
                remedy: "Write it like postgres://app@db.example.com/games.")
        }
        self.init(
            hosts: hosts, replicas: try Self.replicas(of: url),
            replicaPatience: try Self.duration("replica_patience", of: url) ?? .milliseconds(100),
            user: url.user, password: url.password,
            database: database.isEmpty ? nil : database, schema: url.options["schema"] ?? "public",
            tls: try Self.choice("tls", of: url),
            target: try Self.choice("target", of: url),
            timeout: try Self.duration("timeout", of: url) ?? .seconds(30),
            statementTimeout: try Self.duration("statement_timeout", of: url),
            isolation: try Self.choice("isolation", of: url) ?? .readCommitted,
            preparesStatements: try Self.choice("prepare", of: url) != Switch.off,
            isPooled: try Self.choice("pooler", of: url) == Switch.on,
            keepsHistory: try Self.choice("history", of: url) != Switch.off,
            notifies: try Self.choice("notify", of: url) != Switch.off,
            connections: try Self.count("connections", of: url) ?? 8,
            maximumAge: try Self.duration("connection_age", of: url) ?? .seconds(1800))
    }

    private enum Switch: String, CaseIterable {
        case on, off
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, of url: StoreURL
    ) throws(StoreError) -> Choice? where Choice.RawValue == String {
        guard let text = url.options[key] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let near = Spelling.nearest(to: text, among: names).map { "Did you mean \($0)? " } ?? ""
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: near + "It is one of \(names.joined(separator: ", ")).")
    }

    /// Servers, written as they are in the URL's own place: `db2.example.com:5433,db3.example.com`.
    private static func replicas(of url: StoreURL) throws(StoreError) -> [StoreURL.Host] {
        guard let text = url.options["replicas"] else { return [] }
        if let hosts = try? StoreURL("postgres://\(text)/").hosts, !hosts.isEmpty { return hosts }
        throw StoreError(
            .configuration, "The setting replicas of a PostgreSQL URL can't be \(text).",
            remedy: "Write it like db2.example.com:5433,db3.example.com.")
    }

    private static func count(_ key: String, of url: StoreURL) throws(StoreError) -> Int? {
        guard let text = url.options[key] else { return nil }
        if let number = Int(text), (2...1000).contains(number) { return number }
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: "It is a number from 2 to 1000.")
    }

    private static func duration(_ key: String, of url: StoreURL) throws(StoreError) -> Duration? {
        guard let text = url.options[key] else { return nil }
        if text.hasSuffix("ms"), let number = Int32(text.dropLast(2)), number > 0 {
            return .milliseconds(number)
        }
        // The server counts milliseconds, in 32 bits.
        if text.hasSuffix("s"), let number = Int32(text.dropLast()), (1...2_000_000).contains(number) {
            return .seconds(number)
        }
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: "Write it like 30s or 250ms.")
    }
}
#endif
