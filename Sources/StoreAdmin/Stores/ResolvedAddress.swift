import ContextCore

/// The address of one or more stores, with its secrets resolved.
///
/// A command for the stores of many tenants resolves the address once, so that a command that prints a password runs only once.
struct ResolvedAddress: Sendable {
    /// The name in the configuration; nil if the command names the address by its URL.
    let name: String?
    let url: StoreURL
    let backend: StoreBackend
    /// Whether the configuration marks the entry with this name as production.
    let isProduction: Bool
    let configuration: StoreConfiguration
    let backends: [StoreBackend]

    /// Returns the store of a tenant, or that of the address itself.
    func store(tenant: String? = nil) throws -> AdministeredStore {
        let own = try backend.address(of: tenant, at: url, isShared: false)
        let isShared = try isProduction || configuration.isProduction(url, among: backends)
        let isOwn = try tenant != nil && configuration.hasProductionEntry(own, among: backends)
        return AdministeredStore(
            name: name, url: own, backend: backend, isProduction: isShared || isOwn,
            tenant: tenant.map { .init(name: $0, sharedURL: url, hasOwnProductionEntry: isOwn) })
    }
}
