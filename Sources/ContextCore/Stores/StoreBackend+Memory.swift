extension StoreBackend {
    /// Stores in this process's memory, each opened anew and empty: `memory:`.
    ///
    /// A program needn't list it.
    public static let memory = StoreBackend(
        name: "memory", schemes: ["memory"],
        tenancy: Tenancy(address: { shared, _ in shared }, tenants: { _ in [] })
    ) { _, model, _ in InMemoryCoordinator(model: model) }
}
