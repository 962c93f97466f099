import ContextCore

/// The program's backends, model, stages, environment, and input.
struct Tool: Sendable {
    /// The application's own model; nil for the stock `storectl`.
    var model: ObjectModel?
    /// The application's migration stages, by the name of the version that they migrate to.
    var stages: [String: [MigrationStage]] = [:]
    var backends: [StoreBackend]
    /// The C libraries that the program contains beside those of its backends.
    var libraries: [LinkedLibrary]
    var environment: ConfigurationEnvironment
    /// The program's name, for messages that suggest a command to run.
    var name = Tool.defaultName
    /// The application's version; nil for the stock `storectl`, and for an application that gives none.
    var version: String?
    /// The source of the lines that a user types.
    var input = LineInput.process
    /// The folder of the clone of this package that the program was built in; nil if it was installed.
    var clone: String?

    static let defaultName = "storectl"

    /// Whether the program is an application's own tool.
    var isApplications: Bool { model != nil || name != Self.defaultName }

    /// The product and its version: `storectl 0.1.0`, or an application's own tool and its version if it has one.
    var product: String {
        guard isApplications else { return "\(name) \(StoreAdmin.packageVersion)" }
        return [name, version].compactMap(\.self).joined(separator: " ")
    }

    /// The C libraries of the backends, and the others that the program contains; a library that the program names itself counts once.
    var allLibraries: [LinkedLibrary] {
        let named = Set(libraries.map(\.name))
        let own = backends.compactMap { $0.administration?.clientLibrary }
            .map { LinkedLibrary(name: $0.name, version: $0.version) }
        return own.filter { !named.contains($0.name) } + libraries
    }

    /// Returns a text in which quoted commands start with this program's name instead of `storectl`.
    func withProgramName(_ text: String) -> String {
        name == Self.defaultName ? text : text.replacing("'\(Self.defaultName) ", with: "'\(name) ")
    }

    /// Loads the configuration from a file; if it is nil, from the files in the working folder and the folders above it.
    func configuration(file: String?) throws -> StoreConfiguration {
        try StoreConfiguration.load(environment, file: file.map(environment.resolved))
    }

    /// Resolves the name or URL of a store.
    ///
    /// - Parameters:
    ///   - text: A configured name or a URL; nil for the default store.
    ///   - tenant: The tenant whose store to resolve, if tenants share the address; nil for the store of the address itself.
    ///   - config: The value of `--config`; nil if the option is not given.
    func store(_ text: String?, tenant: String? = nil, config: String?) throws -> AdministeredStore {
        try address(text, config: config).store(tenant: tenant)
    }

    /// Resolves the name or URL of an address, and its secrets.
    ///
    /// - Parameters:
    ///   - text: A configured name or a URL; nil for the default store.
    ///   - config: The value of `--config`; nil if the option is not given.
    func address(_ text: String?, config: String?) throws -> ResolvedAddress {
        if let text, StoreURL.isAddress(text) { try refusePassword(in: text) }
        let configuration = try configuration(file: config)
        let configured = try configuration.store(text)
        let url = try configured.url(among: backends, environment)
        return ResolvedAddress(
            name: configured.name, url: url, backend: try StoreBackend.backend(for: url, among: backends),
            isProduction: configured.isProduction, configuration: configuration, backends: backends)
    }

    /// Returns the SQLite backend, which backups need because they are SQLite files.
    func fileBackend() throws -> StoreBackend {
        if let backend = backends.first(where: { $0.schemes.contains("sqlite") }) { return backend }
        throw AdminError.configuration(
            "backups are SQLite files, and this program is built without the SQLite backend.",
            hint: "Build it with SQLiteBackend.")
    }

    /// Throws if a URL on the command line contains a password.
    ///
    /// Every user of a machine can read the command lines of all its processes.
    func refusePassword(in text: String) throws {
        let url = try StoreURL(text)
        if url.secrets.isEmpty { return }
        environment.secrets.register(secretsOf: url)
        throw AdminError.configuration(
            "the URL on the command line contains a password, which every user of this machine can read.",
            hint: "Define the store in \(ConfigurationNames.file), or put the URL into STORECTL_URL.")
    }
}

/// The names of the configuration's files in messages.
enum ConfigurationNames {
    static let file = "storectl.json"
}
