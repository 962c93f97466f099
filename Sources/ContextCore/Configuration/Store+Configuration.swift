extension StoreBackend {
    /// Returns the address of a store, with its secrets, which it reads.
    ///
    /// Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - text: A URL, or a name in the configuration; nil for the default store.
    ///   - backends: The program's backends.
    static func address(of text: String?, among backends: [StoreBackend]) throws -> StoreURL {
        if let text, StoreURL.isAddress(text) { return try StoreURL(text) }
        let environment = ConfigurationEnvironment.process
        return try StoreConfiguration.load(environment).store(text).url(among: backends, environment)
    }
}

extension Store {
    /// Opens the default store of the configuration.
    ///
    /// This is the store of the environment variable `STORECTL_URL` or `STORECTL_STORE`, of which only one may be set, or of
    /// `DATABASE_URL`, or else the default of ``StoreConfiguration``.
    ///
    /// - Parameters:
    ///   - tenant: The tenant whose store is opened, if several share the address; nil for the store of the address itself.
    ///   - backends: The backends that may open it.
    ///   - model: The classes of the objects.
    ///   - options: The options of the store.
    ///   - migration: What to do if the store has another version of the model.
    public static func open(
        tenant: String? = nil, backends: [StoreBackend], model: [ManagedObject.Type],
        options: StoreOptions = StoreOptions(), migration: StoreMigration = .automatic
    ) async throws -> Store {
        try await open(
            nil, tenant: tenant, backends: backends, model: ObjectModel(model), options: options,
            migration: migration, progress: nil)
    }

    static func open(
        _ text: String?, tenant: String?, backends: [StoreBackend], model: ObjectModel, options: StoreOptions,
        migration: StoreMigration, progress: (@Sendable (MigrationProgress) -> Void)?
    ) async throws -> Store {
        let threads = ThreadCache(name: "opening", limit: 1)
        defer { threads.close() }
        return try await open(
            tenant: tenant, on: threads, backends: backends, model: model, options: options,
            migration: migration, progress: progress
        ) { backends in try StoreBackend.address(of: text, among: backends) }
    }

    /// Opens a store on a thread of a cache, because opening it may block.
    ///
    /// - Parameter address: Returns the address, which several tenants may share; it may block.
    static func open(
        tenant: String?, on threads: ThreadCache, backends: [StoreBackend], model: ObjectModel,
        options: StoreOptions,
        migration: StoreMigration, progress: (@Sendable (MigrationProgress) -> Void)?,
        address: @escaping @Sendable (_ backends: [StoreBackend]) throws -> StoreURL
    ) async throws -> Store {
        let backends = backends + [.memory]
        let cancelled = Guarded(false)
        var migrationOptions = MigrationOptions()
        migrationOptions.progress = progress
        migrationOptions.isCancelled = { cancelled.withLock { $0 } }
        let finalOptions = migrationOptions
        return try await withTaskCancellationHandler {
            try await threads.perform {
                let shared = try address(backends)
                let backend = try StoreBackend.backend(for: shared, among: backends)
                let url = try backend.address(of: tenant, at: shared)
                let coordinator = try backend.coordinator(for: url, model, options, migration, finalOptions)
                return try Store(coordinator: coordinator, options: options)
            }
        } onCancel: {
            cancelled.withLock { $0 = true }
        }
    }
}
