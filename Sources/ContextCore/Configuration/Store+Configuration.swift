extension StoreBackend {
    /// Finds the address that is meant by a name, a URL, or by nothing, and looks its secrets up.
    ///
    /// Blocks its thread.
    static func address(of text: String?, among backends: [StoreBackend]) throws -> StoreURL {
        if let text, StoreURL.isAddress(text) { return try StoreURL(text) }
        let surroundings = ConfigurationSurroundings.process
        return try StoreConfiguration.load(surroundings).store(text).url(among: backends, surroundings)
    }
}

extension Store {
    /// Opens the store that the configuration means where none is named.
    ///
    /// That is what the environment's `STORECTL_URL`, `STORECTL_STORE` or `DATABASE_URL` says, or else the default of
    /// ``StoreConfiguration``.
    ///
    /// - Parameters:
    ///   - tenant: The tenant whose store it is, where the address is that of many; nil for the store of the address itself.
    ///   - backends: What can open it.
    ///   - model: The classes of the objects.
    ///   - options: How it is used.
    ///   - migration: What is done with a store of another version of the model.
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

    /// Opens a store on one of these threads.
    ///
    /// - Parameter address: Looks up the address, which the stores of many tenants may share; it may block.
    static func open(
        tenant: String?, on threads: ThreadCache, backends: [StoreBackend], model: ObjectModel,
        options: StoreOptions,
        migration: StoreMigration, progress: (@Sendable (MigrationProgress) -> Void)?,
        address: @escaping @Sendable (_ backends: [StoreBackend]) throws -> StoreURL
    ) async throws -> Store {
        let backends = backends + [.memory]
        let cancelled = Guarded(false)
        var running = MigrationOptions()
        running.progress = progress
        running.isCancelled = { cancelled.withLock { $0 } }
        let migrating = running
        return try await withTaskCancellationHandler {
            try await threads.perform {
                let shared = try address(backends)
                let backend = try StoreBackend.backend(for: shared, among: backends)
                let url = try backend.address(of: tenant, at: shared)
                let coordinator = try backend.coordinator(for: url, model, options, migration, migrating)
                return try Store(coordinator: coordinator, options: options)
            }
        } onCancel: {
            cancelled.withLock { $0 = true }
        }
    }
}
