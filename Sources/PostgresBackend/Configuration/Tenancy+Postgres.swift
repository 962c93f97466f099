#if Postgres
import ContextCore
import SQLStore

extension StoreBackend.Tenancy {
    /// A schema for each tenant, in the database that the address names.
    static let schemas: StoreBackend.Tenancy = {
        var tenancy = StoreBackend.Tenancy(
            address: { shared, tenant in
                try shared.replacing(["schema": TenantSchemas(shared).schema(of: tenant)])
            },
            tenants: { shared in try TenantSchemas(shared).tenants() },
            sharingOptions: ["share_connections": "on"])
        tenancy.name = { url, shared in
            try TenantSchemas(shared).tenant(of: PostgresConfiguration(url).schema)
        }
        return tenancy
    }()
}

/// The schemas of an address's tenants: that of the tenant “acme” of the schema `shop` is called `shop$acme`.
private struct TenantSchemas {
    private let configuration: PostgresConfiguration
    /// What comes before the tenant in the name of a schema.
    ///
    /// As no tenant's name has a `$`, a schema is of one address and one tenant.
    private var start: String { configuration.schema + "$" }

    init(_ shared: StoreURL) throws(StoreError) { configuration = try PostgresConfiguration(shared) }

    func schema(of tenant: String) throws(StoreError) -> String {
        let schema = start + tenant
        if schema.utf8.count > 63 {
            throw StoreError(
                .configuration, "The schema “\(schema)” of a tenant has a name of more than 63 bytes.",
                remedy: "Give the address or the tenant a shorter name.")
        }
        return schema
    }

    func tenants() throws(StoreError) -> [String] {
        var parameters = PostgresParameters()
        parameters.append(StoreNames.metadata)
        let schemas = try PostgresConnection(configuration).run(
            """
            SELECT nspname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relname = $1::text AND c.relkind IN ('r', 'p')
            """, parameters)
        return (0..<schemas.count).map { schemas.text($0, 0) }.compactMap(tenant).sortedByBytes { $0 }
    }

    /// The tenant whose schema has a name; nil where it is no tenant's of this address.
    func tenant(of schema: String) -> String? {
        let tenant = String(schema.dropFirst(start.count))
        return schema.hasPrefix(start) && StoreBackend.isTenantName(tenant) ? tenant : nil
    }
}
#endif
