extension StoreBackend {
    /// How a backend keeps a store for each tenant of an application, all of them at one address.
    public struct Tenancy: Sendable {
        /// Works out the address of a tenant's store from the address that all of them share.
        public var address: @Sendable (_ shared: StoreURL, _ tenant: String) throws -> StoreURL
        /// Lists the tenants that have a store, sorted by their names.
        public var tenants: @Sendable (_ shared: StoreURL) throws -> [String]
        /// The settings, unless the address has its own, by which a program's stores of many tenants share what they use.
        public var sharingOptions: [String: String]
        /// Reads a tenant's name from the address of its store and the address that all tenants share; nil where the store can't be a tenant's.
        ///
        /// It is the inverse of ``address``, and looks at nothing but the two addresses.
        package var name: (@Sendable (_ url: StoreURL, _ shared: StoreURL) throws -> String?)?

        /// Describes where tenants' stores are.
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

    /// The address of a tenant's store; the address itself where no tenant is named.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's name.
    ///   - shared: The address that all tenants share.
    ///   - isShared: Whether the store shares its connections with those of other tenants. A tool that works on each store by itself
    ///     says no: then a store that needs two connections never waits for another that waits for it.
    /// - Throws: ``StoreError/Code/configuration`` for a name that a tenant can't have, and
    ///   ``StoreError/Code/unsupportedRequest`` where the backend keeps one store at an address.
    package func address(
        of tenant: String?, at shared: StoreURL, isShared: Bool = true
    ) throws -> StoreURL {
        guard let tenant else { return shared }
        if !Self.isTenantName(tenant) {
            throw StoreError(
                .configuration, "A tenant can't be called “\(tenant)”.",
                remedy:
                    "Use 1 to 48 lowercase letters, digits, “_” and “-”, and begin with a letter or a digit.")
        }
        let tenancy = try needTenancy()
        let url = try tenancy.address(shared, tenant)
        return isShared ? tenancy.sharingOptions.reduce(url) { $0.adding($1.key, $1.value) } : url
    }

    /// The tenants that have a store at an address, sorted by their names.
    ///
    /// Blocks its thread.
    package func tenants(at shared: StoreURL) throws -> [String] { try needTenancy().tenants(shared) }

    /// The tenant of a shared address whose store another address means; nil where that is no tenant's.
    ///
    /// It compares the two addresses and opens nothing: whether the store is there doesn't matter.
    package func tenant(of url: StoreURL, at shared: StoreURL) throws -> String? {
        guard schemes.contains(url.scheme), schemes.contains(shared.scheme), let tenancy,
            let name = try tenancy.name?(url, shared), Self.isTenantName(name),
            let own = try? tenancy.address(shared, name)
        else { return nil }
        return try place(of: own) == place(of: url) ? name : nil
    }

    private func needTenancy() throws(StoreError) -> Tenancy {
        if let tenancy { return tenancy }
        throw StoreError(
            .unsupportedRequest, "\(name) keeps one store at an address, and none for each tenant.",
            remedy: "Open the store without a tenant.")
    }

    /// Whether a tenant may be called so: the name becomes a part of a file's name or of a schema's.
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
