import ContextCore

/// What the tool has at hand: the program's backends and model, and its surroundings.
struct Tool: Sendable {
    /// The application's own model; nil for the stock `storectl`.
    var model: ObjectModel?
    /// What the application does on the way to versions of its model, by their names.
    var stages: [String: [MigrationStage]] = [:]
    var backends: [StoreBackend]
    var libraries: [LinkedLibrary]
    var surroundings: ConfigurationSurroundings
    /// What the program is called, for messages that name a command to run.
    var name = Tool.stockName
    /// Where lines that a person types come from.
    var input = LineInput.process

    static let stockName = "storectl"

    /// A text in which each command in quotes has the name of this program in place of the stock one's.
    func named(_ text: String) -> String {
        if name == Self.stockName { return text }
        return ["'", "“"].reduce(text) { $0.replacing("\($1)\(Self.stockName) ", with: "\($1)\(name) ") }
    }

    /// The configuration that holds for a call.
    func configuration(file: String?) throws -> StoreConfiguration {
        try StoreConfiguration.load(surroundings, file: file.map(surroundings.resolved))
    }

    /// Finds a store.
    ///
    /// - Parameters:
    ///   - text: A name or a URL; nil for the one that is meant where none is named.
    ///   - tenant: The tenant whose store it is, where the address is shared by many; nil for the store of the address itself.
    ///   - config: The configuration file, where one was named.
    func store(_ text: String?, tenant: String? = nil, config: String?) throws -> AdministeredStore {
        try address(text, config: config).store(tenant: tenant)
    }

    /// Finds an address, and looks its secrets up.
    ///
    /// - Parameters:
    ///   - text: A name or a URL; nil for the one that is meant where none is named.
    ///   - config: The configuration file, where one was named.
    func address(_ text: String?, config: String?) throws -> ResolvedAddress {
        if let text, StoreURL.isAddress(text) { try refusePassword(in: text) }
        let configuration = try configuration(file: config)
        let configured = try configuration.store(text)
        let url = try configured.url(among: backends, surroundings)
        return ResolvedAddress(
            name: configured.name, url: url, backend: try StoreBackend.backend(for: url, among: backends),
            isProduction: configured.isProduction, configuration: configuration, backends: backends)
    }

    /// The backend that keeps stores in files of SQLite, which backups are.
    func fileBackend() throws -> StoreBackend {
        if let backend = backends.first(where: { $0.schemes.contains("sqlite") }) { return backend }
        throw AdminError.configuration(
            "backups are stores in SQLite files, and this storectl can't open any.",
            hint: "Build it with SQLiteBackend.")
    }

    /// Everybody on a machine can read the command lines of all its processes.
    func refusePassword(in text: String) throws {
        let url = try StoreURL(text)
        if url.secrets.isEmpty { return }
        surroundings.secrets.note(secretsOf: url)
        throw AdminError.configuration(
            "a password may not stand on the command line, where everybody can read it.",
            hint: "Name the store in \(ConfigurationNames.file), or put the URL into STORECTL_URL.")
    }
}

/// The names by which documents and messages speak of the configuration.
enum ConfigurationNames {
    static let file = "storectl.json"
}
