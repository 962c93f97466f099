extension Store {
    /// Opens a store, and creates it if it doesn't exist and its backend can create it.
    ///
    /// The URL's scheme selects one of the backends; `memory:` needs none. A string that isn't an address is the name of a store in the
    /// configuration: see ``StoreConfiguration``.
    ///
    /// - Parameters:
    ///   - url: The store's address, or its name in the configuration.
    ///   - tenant: The tenant whose store to open, if several share the address: each has its own file or schema. A program that serves
    ///     many tenants uses a ``StoreFleet``.
    ///   - backends: The backends that may open the store.
    ///   - model: The classes of the entities.
    ///   - options: The options for using the store.
    ///   - migration: What to do if the store has another version of the model. By default a file is migrated if no data is lost and the
    ///     migration needs no decision; otherwise opening fails.
    ///   - progress: Called for each step of a migration.
    /// - Throws: ``ModelError`` if the classes don't form a valid model; ``StoreError/Code/configuration`` if the URL is invalid;
    ///   ``StoreError/Code/modelMismatch`` if the store was created with another model and isn't migrated;
    ///   ``StoreError/Code/migrationRefused`` and ``StoreError/Code/migrationUnfinished``; and errors of the backend.
    public static func open(
        _ url: String, tenant: String? = nil, backends: [StoreBackend] = [], model: [ManagedObject.Type],
        options: StoreOptions = StoreOptions(), migration: StoreMigration = .automatic,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws -> Store {
        try await open(
            url, tenant: tenant, backends: backends, model: ObjectModel(model), options: options,
            migration: migration, progress: progress)
    }

    /// Opens a store with an existing model.
    ///
    /// - Parameters:
    ///   - url: The store's address, or its name in the configuration.
    ///   - tenant: The tenant whose store to open, if several share the address: each has its own file or schema. A program that serves
    ///     many tenants uses a ``StoreFleet``.
    ///   - backends: The backends that may open the store.
    ///   - model: The model.
    ///   - options: The options for using the store.
    ///   - migration: What to do if the store has another version of the model. By default a file is migrated if no data is lost and the
    ///     migration needs no decision; otherwise opening fails.
    ///   - progress: Called for each step of a migration.
    public static func open(
        _ url: String, tenant: String? = nil, backends: [StoreBackend] = [], model: ObjectModel,
        options: StoreOptions = StoreOptions(), migration: StoreMigration = .automatic,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws -> Store {
        try await open(
            Optional(url), tenant: tenant, backends: backends, model: model, options: options,
            migration: migration, progress: progress)
    }
}

extension Store {
    /// Creates an empty store in memory, for tests and caches.
    ///
    /// - Throws: ``ModelError`` if the classes don't form a valid model.
    public static func inMemory(
        _ model: [ManagedObject.Type], options: StoreOptions = StoreOptions()
    ) throws -> Store {
        try inMemory(ObjectModel(model), options: options)
    }

    /// Creates an empty store in memory, with an existing model.
    public static func inMemory(_ model: ObjectModel, options: StoreOptions = StoreOptions()) throws -> Store
    {
        try Store(coordinator: InMemoryCoordinator(model: model), options: options)
    }
}
