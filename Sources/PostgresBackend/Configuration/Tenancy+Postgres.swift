#if Postgres
import ContextCore
import SQLStore

extension StoreBackend.Tenancy {
    /// A schema for each tenant, in the database that the address names.
    static let schemas = StoreBackend.Tenancy(
        address: { shared, tenant in
            try shared.replacing(["schema": TenantSchemas(shared).schema(of: tenant)])
        },
        tenants: { shared in try TenantSchemas(shared).tenants() },
        sharingOptions: ["share_connections": "on"])
}

/// The schemas of an address's tenants: they are called like the tenants, after the address's own schema if it names one.
private struct TenantSchemas {
    private let configuration: PostgresConfiguration
    private let start: String

    init(_ shared: StoreURL) throws(StoreError) {
        configuration = try PostgresConfiguration(shared)
        start = configuration.schema == "public" ? "" : configuration.schema + "_"
    }

    func schema(of tenant: String) throws(StoreError) -> String {
        let schema = start + tenant
        if !isTenants(schema) {
            throw StoreError(
                .configuration, "A tenant can't have the schema “\(schema)”, which is the server's own.",
                remedy: "Give the address a schema: those of its tenants begin with its name.")
        }
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
        return (0..<schemas.count).map { schemas.text($0, 0) }.compactMap { schema in
            let tenant = String(schema.dropFirst(start.count))
            let isOne = schema.hasPrefix(start) && isTenants(schema) && StoreBackend.isTenantName(tenant)
            return isOne ? tenant : nil
        }.sortedByBytes { $0 }
    }

    /// Whether a schema may be a tenant's, and isn't one that every database has.
    private func isTenants(_ schema: String) -> Bool {
        schema != "public" && schema != "information_schema" && !schema.hasPrefix("pg_")
    }
}
#endif
