/// A kind of store that a program can open: SQLite files, PostgreSQL servers, or one of your own.
///
/// A backend's module adds a static member, so that a program names those it carries: `backends: [.sqlite, .postgres]`. The URL's
/// scheme then picks one of them.
///
/// ```swift
/// extension StoreBackend {
///     public static let paper = StoreBackend(name: "paper", schemes: ["paper"], optionKeys: ["ink"]) { url, model, options in
///         try PaperCoordinator(path: url.path, ink: url.options["ink"], model: model)
///     }
/// }
/// ```
public struct StoreBackend: Sendable {
    /// Opens a store; it may block, for it runs on a thread of its own.
    public typealias Open =
        @Sendable (_ url: StoreURL, _ model: ObjectModel, _ options: StoreOptions) throws ->
        any StoreCoordinator

    /// What people call it.
    public let name: String
    /// The schemes of the URLs that it opens, in small letters.
    public let schemes: [String]
    /// The keys of the settings that its URLs may have after the question mark.
    ///
    /// Others are refused before it is asked to open anything.
    public let optionKeys: Set<String>
    /// What administrators' tools need; nil for a backend that they can't look into.
    public let administration: Administration?
    /// How its stores get from one version of a model to the next; nil for a backend whose stores never do.
    public let migrating: Migrating?
    /// How it keeps a store for each tenant; nil for a backend that keeps one store at an address.
    public let tenancy: Tenancy?
    private let open: Open

    /// Makes a backend.
    public init(
        name: String, schemes: [String], optionKeys: Set<String> = [], administration: Administration? = nil,
        migrating: Migrating? = nil, tenancy: Tenancy? = nil, open: @escaping Open
    ) {
        self.name = name
        self.schemes = schemes
        self.optionKeys = optionKeys
        self.administration = administration
        self.migrating = migrating
        self.tenancy = tenancy
        self.open = open
    }

    /// Opens a store, and makes it if there is none yet and its kind can be made.
    ///
    /// Blocks its thread.
    package func coordinator(
        for url: StoreURL, _ model: ObjectModel, _ options: StoreOptions = StoreOptions()
    ) throws -> any StoreCoordinator {
        try open(url, model, options)
    }
}

extension StoreBackend {
    /// What a backend offers to administrators' tools, such as `storectl`.
    public struct Administration: Sendable {
        /// Whether a URL's path is that of a file, so that one in a configuration file begins in that file's folder.
        public var pathsAreFiles: Bool
        /// The settings of a URL with which a store is opened for reading only.
        public var readingOptions: [String: String]
        /// Makes the database that a URL names, where it is missing, and says whether it did; nil where none has to be there
        /// before a store is made.
        public var makeDatabase: (@Sendable (StoreURL) throws -> Bool)?
        /// Writes down which store a URL means, apart from who logs in and how it is used, so that two URLs of one store are told
        /// from those of two; nil where the URL without its settings says it.
        public var place: (@Sendable (StoreURL) throws -> String)?
        /// The settings by which a URL means another store in the same database, by a name for it: where the copy of a rehearsal is made; nil
        /// where there is none, as for stores in files.
        public var scratchOptions: (@Sendable (_ name: String) -> [String: String])?
        let inspect: @Sendable (StoreURL) throws -> any StoreInspector

        /// Offers an inspector.
        public init(
            pathsAreFiles: Bool = false, readingOptions: [String: String] = [:],
            makeDatabase: (@Sendable (StoreURL) throws -> Bool)? = nil,
            place: (@Sendable (StoreURL) throws -> String)? = nil,
            scratchOptions: (@Sendable (_ name: String) -> [String: String])? = nil,
            inspect: @escaping @Sendable (StoreURL) throws -> any StoreInspector
        ) {
            self.pathsAreFiles = pathsAreFiles
            self.readingOptions = readingOptions
            self.makeDatabase = makeDatabase
            self.place = place
            self.scratchOptions = scratchOptions
            self.inspect = inspect
        }
    }

    /// Opens an inspector of a database.
    ///
    /// Blocks its thread.
    ///
    /// - Throws: ``StoreError/Code/unsupportedRequest`` where the backend has none.
    public func inspect(_ url: StoreURL) throws -> any StoreInspector {
        guard let administration else {
            throw StoreError(
                .unsupportedRequest, "Nobody can look into a store of \(name) from outside.",
                remedy: "Name a store in a file or on a server.")
        }
        return try administration.inspect(url)
    }
}

extension StoreBackend {
    /// Which store a URL means: two URLs with the same answer are of one store.
    package func place(of url: StoreURL) throws -> String {
        let usual = "\(url.hosts.map(\.description).joined(separator: ","))/\(url.path)"
        return name + " " + (try administration?.place?(url) ?? usual)
    }

    /// Finds the backend that opens a URL, and checks the URL's settings for it.
    package static func backend(for url: StoreURL, among backends: [StoreBackend]) throws -> StoreBackend {
        guard let backend = backends.first(where: { $0.schemes.contains(url.scheme) }) else {
            throw unknownScheme(url.scheme, backends.flatMap(\.schemes))
        }
        if let key = url.options.keys.sorted().first(where: { !backend.optionKeys.contains($0) }) {
            throw backend.unknownOption(key)
        }
        return backend
    }

    private static func unknownScheme(_ scheme: String, _ known: [String]) -> StoreError {
        let list = known.sorted().map { "\($0):" }.joined(separator: ", ")
        let near = Spelling.nearest(to: scheme, among: known).map { "Did you mean \($0):? " } ?? ""
        return StoreError(
            .configuration, "None of the program's backends opens a URL with the scheme \(scheme):.",
            remedy: near + "It carries backends for \(list); add one to `backends` to carry more.")
    }

    private func unknownOption(_ key: String) -> StoreError {
        let near = Spelling.nearest(to: key, among: Array(optionKeys)).map { "Did you mean \($0)? " } ?? ""
        let list = optionKeys.sorted().joined(separator: ", ")
        return StoreError(
            .configuration, "A \(name) URL has no setting \(key).",
            remedy: near + (optionKeys.isEmpty ? "It has none." : "There are \(list)."))
    }
}
