/// A kind of store that a program can open, such as SQLite files, PostgreSQL servers, or a custom one.
///
/// A backend's module adds a static member, so that a program can list its backends: `backends: [.sqlite, .postgres]`. The URL's scheme
/// selects one of them.
///
/// ```swift
/// extension StoreBackend {
///     public static let paper = StoreBackend(name: "paper", schemes: ["paper"], optionKeys: ["ink"]) { url, model, options in
///         try PaperCoordinator(path: url.path, ink: url.options["ink"], model: model)
///     }
/// }
/// ```
public struct StoreBackend: Sendable {
    /// A function that opens a store; it may block, because it runs on a separate thread.
    public typealias Open =
        @Sendable (_ url: StoreURL, _ model: ObjectModel, _ options: StoreOptions) throws ->
        any StoreCoordinator

    /// The name in messages.
    public let name: String
    /// The lowercase schemes of the URLs that the backend opens.
    public let schemes: [String]
    /// The keys of the settings that the backend's URLs may have after the question mark.
    ///
    /// A URL with another setting is an error, and `open` isn't called.
    public let optionKeys: Set<String>
    /// The support for administration tools; nil if stores can't be inspected.
    public let administration: Administration?
    /// The support for migrations; nil if stores can't be migrated.
    public let migrationSupport: MigrationSupport?
    /// The support for one store per tenant; nil if the backend doesn't support tenants.
    public let tenancy: Tenancy?
    private let open: Open

    /// Creates a backend.
    public init(
        name: String, schemes: [String], optionKeys: Set<String> = [], administration: Administration? = nil,
        migrationSupport: MigrationSupport? = nil, tenancy: Tenancy? = nil, open: @escaping Open
    ) {
        self.name = name
        self.schemes = schemes
        self.optionKeys = optionKeys
        self.administration = administration
        self.migrationSupport = migrationSupport
        self.tenancy = tenancy
        self.open = open
    }

    /// Opens a store, and creates it if it doesn't exist and the backend can create it.
    ///
    /// Blocks the calling thread.
    package func coordinator(
        for url: StoreURL, _ model: ObjectModel, _ options: StoreOptions = StoreOptions()
    ) throws -> any StoreCoordinator {
        try open(url, model, options)
    }
}

extension StoreBackend {
    /// A backend's support for administration tools such as `storectl`.
    public struct Administration: Sendable {
        /// Whether a URL's path is a file path, so that a relative one in a configuration file is relative to that file's folder.
        public var pathsAreFiles: Bool
        /// The URL settings that open a store read-only.
        public var readingOptions: [String: String]
        /// Creates the database of a URL if it doesn't exist, and returns whether it did; nil if stores need no existing database.
        public var makeDatabase: (@Sendable (StoreURL) throws -> Bool)?
        /// Returns a string that is the same for all URLs of one store, whatever their login and settings; nil if the URL without its
        /// settings identifies the store.
        public var storeIdentity: (@Sendable (StoreURL) throws -> String)?
        /// Returns the URL settings of another store in the same database, with the given name, to which a rehearsal copies the store; nil
        /// if a database can't contain several stores.
        public var scratchOptions: (@Sendable (_ name: String) -> [String: String])?
        /// The C library that the backend uses, such as SQLite; nil if it uses none.
        ///
        /// The command `version` of `storectl` prints it.
        public var clientLibrary: (name: String, version: String)?
        /// Opens a database that another program created to read its rows; nil if the backend can't.
        package var openForeignRows: (@Sendable (StoreURL) throws -> any ForeignTableReader)?
        let inspect: @Sendable (StoreURL) throws -> any StoreInspector

        /// Creates support for administration tools.
        public init(
            pathsAreFiles: Bool = false, readingOptions: [String: String] = [:],
            makeDatabase: (@Sendable (StoreURL) throws -> Bool)? = nil,
            storeIdentity: (@Sendable (StoreURL) throws -> String)? = nil,
            scratchOptions: (@Sendable (_ name: String) -> [String: String])? = nil,
            clientLibrary: (name: String, version: String)? = nil,
            inspect: @escaping @Sendable (StoreURL) throws -> any StoreInspector
        ) {
            self.pathsAreFiles = pathsAreFiles
            self.readingOptions = readingOptions
            self.makeDatabase = makeDatabase
            self.storeIdentity = storeIdentity
            self.scratchOptions = scratchOptions
            self.clientLibrary = clientLibrary
            self.inspect = inspect
        }
    }

    /// Opens an inspector of a store's database.
    ///
    /// Blocks the calling thread.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` if the backend has none.
    public func inspect(_ url: StoreURL) throws -> any StoreInspector {
        guard let administration else {
            throw StoreError(
                .unsupportedRequest, "A store of the backend \(name) can't be inspected.",
                remedy: "Use a backend whose stores are databases, such as SQLite or PostgreSQL.")
        }
        return try administration.inspect(url)
    }
}

extension StoreBackend.Administration {
    /// Returns the support with a function that opens databases of other programs to read their rows.
    package func readingForeignRows(
        _ open: @escaping @Sendable (StoreURL) throws -> any ForeignTableReader
    ) -> StoreBackend.Administration {
        var support = self
        support.openForeignRows = open
        return support
    }
}

extension StoreBackend {
    /// Returns a string that identifies the store of a URL.
    package func storeIdentity(of url: StoreURL) throws -> String {
        let usual = "\(url.hosts.map(\.description).joined(separator: ","))/\(url.path)"
        return name + " " + (try administration?.storeIdentity?(url) ?? usual)
    }

    /// Finds the backend that opens a URL, and checks the URL's settings for it.
    package static func backend(for url: StoreURL, among backends: [StoreBackend]) throws -> StoreBackend {
        guard let backend = backends.first(where: { $0.schemes.contains(url.scheme) }) else {
            throw unknownSchemeError(url.scheme, backends.flatMap(\.schemes))
        }
        if let key = url.options.keys.sorted().first(where: { !backend.optionKeys.contains($0) }) {
            throw backend.unknownOptionError(key)
        }
        return backend
    }

    private static func unknownSchemeError(_ scheme: String, _ known: [String]) -> StoreError {
        let list = known.sorted().map { "\($0):" }.joined(separator: ", ")
        let near = Spelling.nearest(to: scheme, among: known).map { "Did you mean \($0):? " } ?? ""
        return StoreError(
            .configuration, "No backend opens URLs with the scheme “\(scheme):”.",
            remedy: near
                + "The program's backends open \(list). To open other URLs, add their backend to `backends`.")
    }

    private func unknownOptionError(_ key: String) -> StoreError {
        let near = Spelling.nearest(to: key, among: Array(optionKeys)).map { "Did you mean \($0)? " } ?? ""
        let list = optionKeys.sorted().joined(separator: ", ")
        return StoreError(
            .configuration, "URLs of the backend \(name) have no setting “\(key)”.",
            remedy: near
                + (optionKeys.isEmpty ? "Remove it: they have no settings." : "Their settings are \(list)."))
    }
}
