#if Postgres
import ContextCore

/// The merged settings of an address, its service and the environment.
///
/// Like libpq, it looks up each keyword in the address, then in the service, then in the environment. It leaves keywords with an
/// independent default, such as the user, to libpq.
struct ServerAddress {
    let hosts: [StoreURL.Host]
    let user: String?
    let password: String?
    let database: String?
    /// Whether `PGHOSTADDR` makes libpq connect to another machine, even if the host name means this one.
    let hasRemoteHostAddress: Bool
    /// All other settings, with the library's names instead of libpq's.
    let settings: [String: String]

    /// Merges the settings.
    ///
    /// - Throws: `StoreError.Code.configuration`, without any password.
    init(_ url: StoreURL, _ environment: ConfigurationEnvironment) throws(StoreError) {
        func variable(_ name: String) -> String? {
            environment.variables[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        var written = try Self.renamedSettings(url.options)
        var found = written
        if let service = written.removeValue(forKey: "service") ?? variable("PGSERVICE") {
            found = try Self.renamedSettings(ServiceFile(environment).settings(of: service))
            found.merge(written) { _, written in written }
        }
        hosts = try Self.hosts(
            names: written["host"] ?? Self.names(url) ?? found["host"] ?? found["hostaddr"] ?? variable(
                "PGHOST")
                ?? variable("PGHOSTADDR"),
            ports: written["port"] ?? Self.ports(url) ?? found["port"] ?? variable("PGPORT"))
        if found["hostaddr"] != nil, found["host"] != nil || !url.hosts.isEmpty {
            throw Self.conflictingHostsError
        }
        hasRemoteHostAddress = variable("PGHOSTADDR").map { !StoreURL.Host($0).isThisMachine } ?? false
        user = url.user ?? found["user"]
        password = url.password ?? found["password"]
        database = url.databaseName.isEmpty ? found["dbname"] ?? variable("PGDATABASE") : url.databaseName
        for place in ConnectionKeyword.addressKeywords { found[place] = nil }
        found["tls"] = found["tls"] ?? Self.supportedSSLMode(variable("PGSSLMODE"))
        found["target"] = found["target"] ?? variable("PGTARGETSESSIONATTRS")
        found["connect_timeout"] = found["connect_timeout"] ?? variable("PGCONNECT_TIMEOUT")
        settings = found
    }

    /// Returns the settings with the library's names instead of libpq's.
    private static func renamedSettings(_ settings: [String: String]) throws(StoreError) -> [String: String] {
        var renamed: [String: String] = [:]
        for (key, value) in settings {
            let name = ConnectionKeyword.synonyms[key] ?? key
            if renamed.updateValue(value, forKey: name) != nil {
                let keys = settings.keys.filter { (ConnectionKeyword.synonyms[$0] ?? $0) == name }.sorted()
                let names = keys.map { "“\($0)”" }.joined(separator: " and ")
                throw StoreError(
                    .configuration, "A PostgreSQL address sets \(names), which mean the same.",
                    remedy: "Remove one of them.")
            }
        }
        return renamed
    }

    private static func names(_ url: StoreURL) -> String? {
        url.hosts.isEmpty ? nil : url.hosts.map(\.name).joined(separator: ",")
    }

    private static func ports(_ url: StoreURL) -> String? {
        if url.hosts.allSatisfy({ $0.port == nil }) { return nil }
        return url.hosts.map { $0.port.map(String.init) ?? "" }.joined(separator: ",")
    }

    private static func hosts(names: String?, ports: String?) throws(StoreError) -> [StoreURL.Host] {
        if let names { return try StoreURL.Host.list(names, ports: ports) }
        guard let ports else { return [] }
        // An empty name stands for libpq's default socket.
        var host = try StoreURL.Host.list("localhost", ports: ports)[0]
        host.name = ""
        return [host]
    }

    private static var conflictingHostsError: StoreError {
        StoreError(
            .configuration, "A PostgreSQL address has both a host name and hostaddr.",
            remedy: "Remove hostaddr. The server's certificate is verified for the host name.")
    }

    /// Returns an SSL mode, or nil for `allow` and `prefer`, which permit plain connections: the library's default is stricter.
    private static func supportedSSLMode(_ mode: String?) -> String? {
        mode.flatMap { ["allow", "prefer"].contains($0) ? nil : $0 }
    }
}
#endif
