extension StoreBackend {
    /// Finds the address that is meant by a name, a URL, or by nothing, and looks its secrets up.
    ///
    /// Blocks its thread.
    static func address(of text: String?, among backends: [StoreBackend]) throws -> StoreURL {
        if let text, text.contains(":") { return try StoreURL(text) }
        let surroundings = ConfigurationSurroundings.process
        return try StoreConfiguration.load(surroundings).store(text).url(among: backends, surroundings)
    }
}

extension Store {
    /// Opens the store that the configuration means where none is named.
    ///
    /// That is what the environment's `STORECTL_URL`, `STORECTL_STORE` or `DATABASE_URL` says, or else the default of
    /// ``StoreConfiguration``.
    public static func open(
        backends: [StoreBackend], model: [ManagedObject.Type], options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        try await open(nil, backends: backends, model: ObjectModel(model), options: options)
    }

    static func open(
        _ text: String?, backends: [StoreBackend], model: ObjectModel, options: StoreOptions
    ) async throws -> Store {
        let backends = backends + [.memory]
        let threads = ThreadCache(name: "opening", limit: 1)
        defer { threads.close() }
        return try await threads.perform {
            let url = try StoreBackend.address(of: text, among: backends)
            let backend = try StoreBackend.backend(for: url, among: backends)
            return try Store(coordinator: backend.coordinator(for: url, model, options), options: options)
        }
    }
}
