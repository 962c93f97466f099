#if Postgres
import ContextCore

extension PostgresConfiguration {
    /// The keys of a URL's settings.
    static let optionKeys: Set<String> = [
        "schema", "tls", "timeout", "prepare", "history", "host", "connections",
    ]

    /// Reads a URL.
    ///
    /// - Throws: ``StoreError/Code/configuration`` for a value that a setting doesn't have, with the nearest one that it has.
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
            hosts: hosts, user: url.user, password: url.password,
            database: database.isEmpty ? nil : database, schema: url.options["schema"] ?? "public",
            tls: try Self.choice("tls", of: url),
            timeout: try url.options["timeout"].map { (text) throws(StoreError) in try Self.duration(text) }
                ?? .seconds(30),
            preparesStatements: try Self.choice("prepare", of: url) != Switch.off,
            keepsHistory: try Self.choice("history", of: url) != Switch.off,
            connections: try Self.count("connections", of: url) ?? 8)
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

    private static func count(_ key: String, of url: StoreURL) throws(StoreError) -> Int? {
        guard let text = url.options[key] else { return nil }
        if let number = Int(text), (2...1000).contains(number) { return number }
        throw StoreError(
            .configuration, "The setting \(key) of a PostgreSQL URL can't be \(text).",
            remedy: "It is a number from 2 to 1000.")
    }

    private static func duration(_ text: String) throws(StoreError) -> Duration {
        if text.hasSuffix("ms"), let number = Int(text.dropLast(2)), number > 0 {
            return .milliseconds(number)
        }
        if text.hasSuffix("s"), let number = Int(text.dropLast()), number > 0 { return .seconds(number) }
        throw StoreError(
            .configuration, "The setting timeout of a PostgreSQL URL can't be \(text).",
            remedy: "Write it like 30s or 250ms.")
    }
}
#endif
