/// Says where a store's model comes from when a program has none of its own.
public enum ModelSource: Sendable, Hashable {
    /// The store itself: the model that it was made or migrated with last.
    ///
    /// Objects then have no class of their own, and their values are read by name.
    case stored
}

extension Store {
    /// Opens a store that is there, with the model that it keeps.
    ///
    /// ```swift
    /// let store = try await Store.open("sqlite:games.sqlite", backends: [.sqlite], model: .stored)
    /// ```
    ///
    /// - Throws: ``StoreError/Code/storeNotFound`` or ``StoreError/Code/notAStore`` where there is none: nothing is made.
    public static func open(
        _ url: String, backends: [StoreBackend], model: ModelSource, options: StoreOptions = StoreOptions()
    ) async throws -> Store {
        let backends = backends + [.memory]
        let threads = ThreadCache(name: "opening", limit: 1)
        defer { threads.close() }
        return try await threads.perform {
            let url = try StoreBackend.address(of: url, among: backends)
            let backend = try StoreBackend.backend(for: url, among: backends)
            let model = try backend.storedModel(of: url)
            return try Store(coordinator: backend.coordinator(for: url, model, options), options: options)
        }
    }
}
