/// The stores that configuration files name, for applications and for `storectl` alike.
///
/// ```json
/// {
///   // Which one is meant where none is named.
///   "default": "dev",
///   "stores": {
///     "dev": "sqlite:Data/dev.sqlite",
///     "prod": {
///       "url": "postgres://app@db.example.com/shop?schema=shop",
///       "password": {"file": "/run/secrets/db"},
///       "production": true
///     }
///   }
/// }
/// ```
///
/// `storectl.json` is looked for in the working folder and upward, as far as the home folder or the root of a repository;
/// `$XDG_CONFIG_HOME/storectl/config.json` adds the stores that it doesn't name.
///
/// ```swift
/// let names = try StoreConfiguration.load().storeNames
/// ```
public struct StoreConfiguration: Sendable {
    /// The files that were read, the nearest first.
    public let files: [String]
    package let stores: [String: ConfiguredStore]
    package let defaultStore: (name: String, origin: SettingOrigin)?
    let surroundings: ConfigurationSurroundings
    /// Whether somebody has named the file, and it wasn't looked for.
    let isNamed: Bool

    /// Reads the configuration of this process.
    ///
    /// - Throws: ``StoreError/Code/configuration`` with everything that is wrong, line by line.
    public static func load() throws -> StoreConfiguration { try load(.process) }

    /// Reads the configuration that a process in some surroundings has.
    ///
    /// - Parameter file: The one file to read; nil to look for files.
    package static func load(
        _ surroundings: ConfigurationSurroundings, file: String? = nil
    ) throws -> StoreConfiguration {
        let paths = file.map { [$0] } ?? ConfigurationSearch(surroundings).files()
        var stores: [String: ConfiguredStore] = [:]
        var defaultStore: (name: String, origin: SettingOrigin)?
        for path in paths {
            let contents = try ConfigurationReader(path: path).contents()
            stores.merge(contents.stores) { nearer, _ in nearer }
            defaultStore = defaultStore ?? contents.defaultStore
        }
        return StoreConfiguration(
            files: paths, stores: stores, defaultStore: defaultStore, surroundings: surroundings,
            isNamed: file != nil)
    }

    /// The names of the stores, sorted by their bytes.
    public var storeNames: [String] { stores.keys.sortedByBytes { $0 } }

    /// Whether a store may be called so: a name can't be taken for an address or a path.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.contains { ":/= \t\n".contains($0) }
    }

    /// The name of the store that is meant where none is named; nil where there are several and none is said to be.
    public var defaultName: String? { defaultStore?.name ?? (stores.count == 1 ? stores.keys.first : nil) }
}

extension StoreConfiguration {
    /// Finds the store that is meant.
    ///
    /// What is written goes first: a name, or a URL. Then come the environment's `STORECTL_URL`, `STORECTL_STORE` and
    /// `DATABASE_URL`, and then the files' default. `DATABASE_URL`, which is there for other programs too, comes after the default of
    /// a file that somebody has named.
    ///
    /// - Parameter text: What was written; nil where nothing was.
    package func store(_ text: String?) throws -> ConfiguredStore {
        if let text { return try store(text, from: .call) }
        if let store = try store(fromAnyOf: ["STORECTL_URL", "STORECTL_STORE"]) { return store }
        if isNamed, let name = defaultName { return try store(named: name) }
        if let store = try store(fromAnyOf: ["DATABASE_URL"]) { return store }
        if let name = defaultName { return try store(named: name) }
        throw StoreError(
            .configuration, "No store is named.",
            remedy: stores.isEmpty
                ? "Name one by its URL, or in \(ConfigurationSearch.fileName)."
                : "Name one of \(storeNames.joined(separator: ", ")), or give “default” in \(files.joined(separator: ", "))."
        )
    }

    private func store(fromAnyOf names: [String]) throws -> ConfiguredStore? {
        for name in names {
            if let text = surroundings.variables[name], !text.isEmpty {
                return try store(text, from: .variable(name))
            }
        }
        return nil
    }

    /// Whether an address is that of a production store, or of a tenant of one, under whatever name or none.
    package func isProduction(_ url: StoreURL, among backends: [StoreBackend]) throws -> Bool {
        try anyProduction(among: backends) { backend, entry in
            try backend.place(of: entry) == place(of: url, among: backends)
                || backend.tenant(of: url, at: entry) != nil
        }
    }

    /// Whether an entry marks the store at an address itself as production, and not the address that several tenants share.
    package func namesProduction(_ url: StoreURL, among backends: [StoreBackend]) throws -> Bool {
        try anyProduction(among: backends) { backend, entry in
            try backend.place(of: entry) == place(of: url, among: backends)
        }
    }

    private func place(of url: StoreURL, among backends: [StoreBackend]) throws -> String {
        try StoreBackend.backend(for: url, among: backends).place(of: url)
    }

    /// Whether a condition holds for the address of any entry that is marked as production.
    private func anyProduction(
        among backends: [StoreBackend], where holds: (StoreBackend, StoreURL) throws -> Bool
    ) throws -> Bool {
        try stores.values.contains { store in
            guard store.isProduction, let url = try store.address(among: backends, surroundings),
                let backend = backends.first(where: { $0.schemes.contains(url.scheme) })
            else { return false }
            return try holds(backend, url)
        }
    }

    private func store(_ text: String, from origin: SettingOrigin) throws -> ConfiguredStore {
        guard StoreURL.isAddress(text) else { return try store(named: text) }
        let url = try StoreURL(text)
        surroundings.secrets.note(secretsOf: url)
        return ConfiguredStore(name: nil, address: .url(url, origin), origin: origin)
    }

    private func store(named name: String) throws -> ConfiguredStore {
        if let store = stores[name] { return store }
        let near = Spelling.nearest(to: name, among: storeNames).map { "Did you mean \($0)? " } ?? ""
        let list =
            stores.isEmpty
            ? "No configuration file was found; a URL is written like sqlite:games.sqlite."
            : "There are \(storeNames.joined(separator: ", "))."
        throw StoreError(
            .configuration, "No store is called “\(name)” in the configuration.", remedy: near + list)
    }
}
