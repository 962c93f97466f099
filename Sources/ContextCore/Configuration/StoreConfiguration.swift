/// The stores in configuration files, for applications and for `storectl`.
///
/// ```json
/// {
///   // The store to open when none is specified.
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
/// `storectl.json` is searched for in the working directory and its parents, up to the home directory or the root of a repository.
/// `$XDG_CONFIG_HOME/storectl/config.json` adds stores with other names.
///
/// ```swift
/// let names = try StoreConfiguration.load().storeNames
/// ```
public struct StoreConfiguration: Sendable {
    /// The files that were read, nearest first.
    public let files: [String]
    package let stores: [String: ConfiguredStore]
    package let defaultStore: (name: String, origin: SettingOrigin)?
    let environment: ConfigurationEnvironment
    /// Whether the caller specified the file; otherwise files were searched for.
    let isNamed: Bool

    /// Reads the configuration of this process.
    ///
    /// - Throws: ``StoreError/Code/configuration`` with all problems and their lines.
    public static func load() throws -> StoreConfiguration { try load(.process) }

    /// Reads the configuration of a process with the given environment.
    ///
    /// - Parameter file: The only file to read; nil to search for files.
    package static func load(
        _ environment: ConfigurationEnvironment, file: String? = nil
    ) throws -> StoreConfiguration {
        let paths = file.map { [$0] } ?? ConfigurationSearch(environment).files()
        var stores: [String: ConfiguredStore] = [:]
        var defaultStore: (name: String, origin: SettingOrigin)?
        for path in paths {
            let contents = try ConfigurationReader(path: path).contents()
            stores.merge(contents.stores) { nearer, _ in nearer }
            defaultStore = defaultStore ?? contents.defaultStore
        }
        return StoreConfiguration(
            files: paths, stores: stores, defaultStore: defaultStore, environment: environment,
            isNamed: file != nil)
    }

    /// The names of the stores, sorted by their bytes.
    public var storeNames: [String] { stores.keys.sortedByBytes { $0 } }

    /// Whether a text is a valid name of a store, which can't be confused with an address or a path.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.contains { ":/= \t\n".contains($0) }
    }

    /// The name of the default store; nil if there are several stores and none is declared as the default.
    public var defaultName: String? { defaultStore?.name ?? (stores.count == 1 ? stores.keys.first : nil) }
}

extension StoreConfiguration {
    /// Returns a store by its name or URL, or the default store.
    ///
    /// Without a name or URL, it is the store of the environment variable `STORECTL_URL`, `STORECTL_STORE` or
    /// `DATABASE_URL`, or else the default of the files. If the caller specified a file, its default takes precedence over `DATABASE_URL`,
    /// which other programs use too.
    ///
    /// - Parameter text: A name or a URL; nil for the default store.
    package func store(_ text: String?) throws -> ConfiguredStore {
        if let text { return try store(text, from: .call) }
        switch (variable("STORECTL_URL"), variable("STORECTL_STORE")) {
        case (_?, _?):
            // One of them is probably left over, and commands for the wrong store can do harm.
            throw StoreError(
                .configuration, "STORECTL_URL and STORECTL_STORE are both set, and each selects a store.",
                remedy: "Unset one of them or make it empty, or specify the store.")
        case (let text?, nil): return try store(text, from: .variable("STORECTL_URL"))
        case (nil, let text?): return try store(text, from: .variable("STORECTL_STORE"))
        case (nil, nil): break
        }
        if isNamed, let name = defaultName { return try store(named: name) }
        if let text = variable("DATABASE_URL") { return try store(text, from: .variable("DATABASE_URL")) }
        if let name = defaultName { return try store(named: name) }
        throw StoreError(
            .configuration, "No store is specified, and there is no default store.",
            remedy: stores.isEmpty
                ? "Specify its URL, or add a store to \(ConfigurationSearch.fileName)."
                : "Specify one of the stores \(storeNames.joined(separator: ", ")), or set “default” in \(files.joined(separator: ", "))."
        )
    }

    /// Returns the value of an environment variable; nil if it is empty or not set.
    private func variable(_ name: String) -> String? {
        environment.variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a URL is that of a production store or of one of its tenants, under whatever name it was given.
    package func isProduction(_ url: StoreURL, among backends: [StoreBackend]) throws -> Bool {
        try anyProduction(among: backends) { backend, entry in
            try backend.storeIdentity(of: entry) == storeIdentity(of: url, among: backends)
                || backend.tenant(of: url, at: entry) != nil
        }
    }

    /// Whether a production store of the configuration has exactly this address, and not only an address that several tenants share.
    package func hasProductionEntry(_ url: StoreURL, among backends: [StoreBackend]) throws -> Bool {
        try anyProduction(among: backends) { backend, entry in
            try backend.storeIdentity(of: entry) == storeIdentity(of: url, among: backends)
        }
    }

    private func storeIdentity(of url: StoreURL, among backends: [StoreBackend]) throws -> String {
        try StoreBackend.backend(for: url, among: backends).storeIdentity(of: url)
    }

    /// Whether the condition is true for the address of any production store.
    private func anyProduction(
        among backends: [StoreBackend], where matches: (StoreBackend, StoreURL) throws -> Bool
    ) throws -> Bool {
        try stores.values.contains { store in
            guard store.isProduction, let url = try store.address(among: backends, environment),
                let backend = backends.first(where: { $0.schemes.contains(url.scheme) })
            else { return false }
            return try matches(backend, url)
        }
    }

    private func store(_ text: String, from origin: SettingOrigin) throws -> ConfiguredStore {
        guard StoreURL.isAddress(text) else { return try store(named: text) }
        let url = try StoreURL(text)
        environment.secrets.register(secretsOf: url)
        return ConfiguredStore(name: nil, address: .url(url, origin), origin: origin)
    }

    private func store(named name: String) throws -> ConfiguredStore {
        if let store = stores[name] { return store }
        let near = Spelling.nearest(to: name, among: storeNames).map { "Did you mean \($0)? " } ?? ""
        let list =
            stores.isEmpty
            ? "No configuration file was found; a URL is written like sqlite:games.sqlite."
            : "Its stores are \(storeNames.joined(separator: ", "))."
        throw StoreError(
            .configuration, "The configuration has no store “\(name)”.", remedy: near + list)
    }
}
