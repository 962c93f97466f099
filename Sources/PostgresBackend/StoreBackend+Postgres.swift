#if Postgres
public import ContextCore
import SQLStore

extension StoreBackend {
    /// The backend that opens stores on PostgreSQL servers: `postgres://app@db.example.com/games`.
    ///
    /// Settings follow a question mark: `schema` (`public`), `tls` (`disable`, `require`, `verify-ca`, `verify-full`), `target`
    /// (`any`, `read-write`, `read-only`, `primary`, `standby`, `prefer-standby`), `timeout` (`30s`), `statement_timeout` (`300s`, `none`),
    /// `idle_in_transaction_session_timeout` (`600s`, `none`),
    /// `isolation` (`snapshot`, `serializable`), `connections` (`8`), `connection_age` (`1800s`), `share_connections` (`off`, `on`),
    /// `prepare` (`on`, `off`), `pooler` (`off`, `on`), `history` (`on`, `off`), `notify` (`on`, `off`), `host` (a folder of sockets)
    /// and `port`, `replicas` (read-only servers), `replica_patience` (`100ms`), `service` (a section of libpq's service file), and
    /// libpq's own settings of TLS, password files and keepalives. A connection string with keywords works too:
    /// `host=db.example.com dbname=games`.
    ///
    /// Each tenant has its own schema in the database: `games$acme` is the schema of the tenant “acme” at
    /// `postgres://app@db.example.com/shop?schema=games`. The tenants of one address share their connections.
    ///
    /// ```swift
    /// let store = try await Store.open("postgres://app@localhost/games", backends: [.postgres], model: [Game.self])
    /// ```
    public static let postgres = StoreBackend(
        name: "PostgreSQL", schemes: ["postgres", "postgresql"], optionKeys: PostgresConfiguration.optionKeys,
        administration: Administration(
            makeDatabase: { url in try DatabaseCreation(PostgresConfiguration(url)).createIfMissing() },
            storeIdentity: { url in try PostgresConfiguration(url).storeIdentity },
            scratchOptions: { name in ["schema": name] },
            clientLibrary: ("libpq", PostgresLibrary.version)
        ) { url in try PostgresInspector(PostgresConfiguration(url)) }
        .readingForeignRows { url in try ForeignSchema(PostgresConfiguration(url)) },
        migrationSupport: MigrationSupport(
            migratesOnOpening: false, plan: offlinePlan,
            open: { url, options in
                try SQLMigrator(PostgresMigrationConnection(PostgresConfiguration(url), options))
            },
            adopt: { url, model in
                try StoreAdoption(model: model, configuration: PostgresConfiguration(url)).adopt()
            },
            examine: { model in try ModelExamination(model, .postgres).findings }),
        tenancy: .schemas
    ) { url, model, options in
        var configuration = try PostgresConfiguration(url)
        configuration.statementLog = options.statementLog
        return try PostgresCoordinator(model: model, configuration)
    }

    @Sendable private static func offlinePlan(_ transitions: [ModelTransition]) throws -> MigrationPlan {
        try MigrationScript.offlinePlan(transitions, .postgres)
    }
}
#endif
