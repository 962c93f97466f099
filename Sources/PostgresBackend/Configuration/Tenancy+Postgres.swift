#if Postgres
import ContextCore
import SQLStore

extension StoreBackend.Tenancy {
    /// The tenancy of PostgreSQL: a schema for each tenant in the database of the address.
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

/// The schemas of an address's tenants: `shop$acme` is the schema of the tenant “acme” of the schema `shop`.
private struct TenantSchemas {
    private let configuration: PostgresConfiguration
    /// The prefix of the tenants' schemas.
    ///
    /// Names of tenants contain no `$`, so a schema belongs to one address and one tenant.
    private var schemaPrefix: String { configuration.schema + "$" }

    init(_ shared: StoreURL) throws(StoreError) { configuration = try PostgresConfiguration(shared) }

    func schema(of tenant: String) throws(StoreError) -> String {
        let schema = schemaPrefix + tenant
        if schema.utf8.count > PostgresConfiguration.maximumNameLength {
            throw StoreError(
                .configuration, "The name of the tenant's schema “\(schema)” is longer than 63 bytes.",
                remedy: "Use a shorter name for the tenant, or a shorter schema in the address.")
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

    /// Returns the tenant of a schema; nil if the schema doesn't belong to a tenant of this address.
    func tenant(of schema: String) -> String? {
        let tenant = String(schema.dropFirst(schemaPrefix.count))
        return schema.hasPrefix(schemaPrefix) && StoreBackend.isTenantName(tenant) ? tenant : nil
    }
}
#endif
