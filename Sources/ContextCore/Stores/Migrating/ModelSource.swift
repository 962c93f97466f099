/// The source of the model for a program that has no classes for the entities.
public enum ModelSource: Sendable, Hashable {
    /// The model with which the store was created or last migrated.
    ///
    /// All objects are instances of ``ManagedObject``, and their values are read by name.
    case stored
}

extension Store {
    /// Opens an existing store with the model that it contains.
    ///
    /// ```swift
    /// let store = try await Store.open("sqlite:games.sqlite", backends: [.sqlite], model: .stored)
    /// ```
    ///
    /// - Throws: ``StoreError/Code/storeNotFound`` or ``StoreError/Code/notAStore`` if there is no store; none is created.
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
