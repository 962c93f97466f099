import ContextCore

/// An address of the configuration, with its secrets looked up: it makes stores without another look.
///
/// A command that works on the stores of many tenants looks once, so a command that prints a password runs once.
struct ResolvedAddress: Sendable {
    /// Its name in the configuration; nil for one that was named by its URL.
    let name: String?
    let url: StoreURL
    let backend: StoreBackend
    /// Whether the configuration marks it as production, by that name.
    let isProduction: Bool
    let configuration: StoreConfiguration
    let backends: [StoreBackend]

    /// The store at the address, or that of a tenant.
    func store(tenant: String? = nil) throws -> AdministeredStore {
        let own = try backend.address(of: tenant, at: url, isShared: false)
        let isShared = try isProduction || configuration.isProduction(url, among: backends)
        let isOwn = try tenant != nil && configuration.namesProduction(own, among: backends)
        return AdministeredStore(
            name: name, url: own, backend: backend, isProduction: isShared || isOwn,
            tenant: tenant.map { .init(name: $0, sharedURL: url, isProductionByItself: isOwn) })
    }
}
