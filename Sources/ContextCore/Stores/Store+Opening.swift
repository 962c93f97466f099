extension Store {
    /// Opens a store, and makes it if there is none yet and its kind can be made.
    ///
    /// The URL's scheme picks a backend among those that the program carries; `memory:` needs none of them. A text without a colon
    /// is the name of a store in the configuration: see ``StoreConfiguration``.
    ///
    /// - Throws: ``ModelError`` when the classes make no model; ``StoreError/Code/configuration`` when the URL can't be understood;
    ///   ``StoreError/Code/modelMismatch`` when the store was made with another model; and what the backend says.
    public static func open(
        _ url: String, backends: [StoreBackend] = [], model: [ManagedObject.Type],
        options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        try await open(url, backends: backends, model: ObjectModel(model), options: options)
    }

    /// Opens a store with a model.
    public static func open(
        _ url: String, backends: [StoreBackend] = [], model: ObjectModel,
        options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        try await open(Optional(url), backends: backends, model: model, options: options)
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
