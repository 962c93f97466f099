extension StoreBackend {
    /// The backend of stores in memory, with URLs `memory:`; each opened store is new and empty.
    ///
    /// `Store.open` always includes it, so a program need not list it.
    public static let memory = StoreBackend(
        name: "memory", schemes: ["memory"],
        tenancy: Tenancy(address: { shared, _ in shared }, tenants: { _ in [] })
    ) { _, model, _ in InMemoryCoordinator(model: model) }
}
