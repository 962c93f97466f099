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
        if isRehearsal(schema) {
            throw StoreError(
                .configuration,
                "A tenant can't have the schema “\(schema)”: copies for rehearsals have such names.",
                remedy: "Give the tenant another name.")
        }
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
        // A schema in which a backup is being restored, or was when the tool was killed, is no tenant's.
        let schemas = try PostgresConnection(configuration).run(
            """
            SELECT nspname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
            WHERE c.relname = $1::text AND c.relkind IN ('r', 'p') \
            AND pg_catalog.obj_description(n.oid, 'pg_namespace') IS DISTINCT FROM \(PostgresInspector.placeMark)
            """, parameters)
        return (0..<schemas.count).map { schemas.text($0, 0) }.compactMap(tenant).sortedByBytes { $0 }
    }

    /// The tenant that a schema is called like; nil where it can't be a tenant's.
    func tenant(of schema: String) -> String? {
        let tenant = String(schema.dropFirst(start.count))
        let isOne = schema.hasPrefix(start) && isTenants(schema) && StoreBackend.isTenantName(tenant)
        return isOne ? tenant : nil
    }

    /// Whether a schema may be a tenant's: it is neither one that every database has nor the copy of a rehearsal.
    private func isTenants(_ schema: String) -> Bool {
        schema != "public" && schema != "information_schema" && !schema.hasPrefix("pg_")
            && !isRehearsal(schema)
    }

    /// Whether a schema is called as “storectl migrate rehearse” calls the schema of its copy: `rehearsal_` and 8 hexadecimal digits.
    private func isRehearsal(_ schema: String) -> Bool {
        guard start.isEmpty, schema.hasPrefix("rehearsal_") else { return false }
        let id = schema.dropFirst("rehearsal_".count)
        return id.utf8.count == 8 && id.allSatisfy { "0123456789abcdef".contains($0) }
    }
}
#endif
