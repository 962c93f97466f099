extension Store {
    /// Opens a store, and makes it if there is none yet and its kind can be made.
    ///
    /// The URL's scheme picks a backend among those that the program carries; `memory:` needs none of them. A text without a colon
    /// is the name of a store in the configuration: see ``StoreConfiguration``.
    ///
    /// - Parameters:
    ///   - url: The store's address, or its name in the configuration.
    ///   - tenant: The tenant whose store it is, where the address is that of many: each tenant has a file or a schema of its own. Use a
    ///     ``StoreFleet`` where a program works for many tenants.
    ///   - backends: What can open it.
    ///   - model: The classes of the objects.
    ///   - options: How it is used.
    ///   - migration: What is done with a store of another version of the model: unless said otherwise, a file is migrated where
    ///     nothing is lost and nobody has to decide anything, and everything else is refused.
    ///   - progress: Hears of a migration's steps.
    /// - Throws: ``ModelError`` when the classes make no model; ``StoreError/Code/configuration`` when the URL can't be understood;
    ///   ``StoreError/Code/modelMismatch`` when the store was made with another model and is not migrated;
    ///   ``StoreError/Code/migrationRefused`` and ``StoreError/Code/migrationUnfinished``; and what the backend says.
    public static func open(
        _ url: String, tenant: String? = nil, backends: [StoreBackend] = [], model: [ManagedObject.Type],
        options: StoreOptions = StoreOptions(), migration: StoreMigration = .automatic,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) async throws -> Store {
        try await open(
            url, tenant: tenant, backends: backends, model: ObjectModel(model), options: options,
            migration: migration, progress: progress)
    }

    /// Opens a store with a model.
    ///
    /// - Parameters:
    ///   - url: The store's address, or its name in the configuration.
    ///   - tenant: The tenant whose store it is, where the address is that of many: each tenant has a file or a schema of its own. Use a
    ///     ``StoreFleet`` where a program works for many tenants.
    ///   - backends: What can open it.
    ///   - model: The model.
    ///   - options: How it is used.
    ///   - migration: What is done with a store of another version of the model: unless said otherwise, a file is migrated where
    ///     nothing is lost and nobody has to decide anything, and everything else is refused.
    ///   - progress: Hears of a migration's steps.
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
    /// Makes an empty store in this process's memory: for tests and caches.
    ///
    /// - Throws: ``ModelError`` when the classes make no model.
    public static func inMemory(
        _ model: [ManagedObject.Type], options: StoreOptions = StoreOptions()
    ) throws -> Store {
        try inMemory(ObjectModel(model), options: options)
    }

    /// Makes an empty store in this process's memory, of a model.
    public static func inMemory(_ model: ObjectModel, options: StoreOptions = StoreOptions()) throws -> Store
    {
        try Store(coordinator: InMemoryCoordinator(model: model), options: options)
    }
}
