extension StoreBackend {
    /// A backend's support for one store per tenant at a shared address.
    public struct Tenancy: Sendable {
        /// Returns the address of a tenant's store, given the shared address.
        public var address: @Sendable (_ shared: StoreURL, _ tenant: String) throws -> StoreURL
        /// Returns the names of the tenants that have a store, sorted.
        public var tenants: @Sendable (_ shared: StoreURL) throws -> [String]
        /// The URL settings by which the stores of many tenants share connections; settings of the address take precedence.
        public var sharingOptions: [String: String]
        /// Returns the tenant's name, given the address of its store and the shared address; nil if the store doesn't belong to a tenant.
        ///
        /// It is the inverse of ``address``, and compares only the two addresses.
        package var name: (@Sendable (_ url: StoreURL, _ shared: StoreURL) throws -> String?)?

        /// Creates a description of tenants' stores.
        public init(
            address: @escaping @Sendable (_ shared: StoreURL, _ tenant: String) throws -> StoreURL,
            tenants: @escaping @Sendable (_ shared: StoreURL) throws -> [String],
            sharingOptions: [String: String] = [:]
        ) {
            self.address = address
            self.tenants = tenants
            self.sharingOptions = sharingOptions
        }
    }

    /// Returns the address of a tenant's store, or the shared address if the tenant is nil.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's name.
    ///   - shared: The shared address.
    ///   - isShared: Whether the store shares a connection pool with those of other tenants. Pass false in tools that use two stores at
    ///     once, so that one never waits for a connection that the other uses.
    /// - Throws: ``StoreError/Code/configuration`` if the tenant's name is invalid, and
    ///   ``StoreError/Code/unsupportedRequest`` if the backend doesn't support tenants.
    package func address(
        of tenant: String?, at shared: StoreURL, isShared: Bool = true
    ) throws -> StoreURL {
        guard let tenant else { return shared }
        if !Self.isTenantName(tenant) {
            throw StoreError(
                .configuration, "“\(tenant)” isn't a valid name of a tenant.",
                remedy:
                    "Use 1 to 48 lowercase letters, digits, “_” and “-”, and start with a letter or a digit.")
        }
        let tenancy = try requireTenancy()
        let url = try tenancy.address(shared, tenant)
        return isShared ? tenancy.sharingOptions.reduce(url) { $0.adding($1.key, $1.value) } : url
    }

    /// Returns the names of the tenants that have a store at an address, sorted.
    ///
    /// Blocks the calling thread.
    package func tenants(at shared: StoreURL) throws -> [String] { try requireTenancy().tenants(shared) }

    /// Returns the tenant whose store at a shared address has the given URL; nil if the URL isn't that of a tenant's store.
    ///
    /// It only compares the two addresses, so the store need not exist.
    package func tenant(of url: StoreURL, at shared: StoreURL) throws -> String? {
        guard schemes.contains(url.scheme), schemes.contains(shared.scheme), let tenancy,
            let name = try tenancy.name?(url, shared), Self.isTenantName(name),
            let own = try? tenancy.address(shared, name)
        else { return nil }
        return try storeIdentity(of: own) == storeIdentity(of: url) ? name : nil
    }

    private func requireTenancy() throws(StoreError) -> Tenancy {
        if let tenancy { return tenancy }
        throw StoreError(
            .unsupportedRequest, "The backend \(name) doesn't support tenants.",
            remedy: "Open the store without the argument `tenant`.")
    }

    /// Whether a tenant's name is valid, so that it can be part of a file or schema name.
    package static func isTenantName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let isPlain = bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
        }
        guard let first = bytes.first, bytes.count <= 48, isPlain else { return false }
        return first != UInt8(ascii: "_") && first != UInt8(ascii: "-")
    }
}
