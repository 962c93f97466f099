#if Postgres
public import ContextCore

extension StoreBackend {
    /// Opens stores on PostgreSQL servers: `postgres://app@db.example.com/games`.
    ///
    /// Settings follow a question mark: `schema` (`public`), `tls` (`disable`, `require`, `verify-ca`, `verify-full`), `timeout`
    /// (`30s`), `connections` (`8`), `prepare` (`on`, `off`), `history` (`on`, `off`), `host` (a folder of sockets).
    ///
    /// ```swift
    /// let store = try await Store.open("postgres://app@localhost/games", backends: [.postgres], model: [Game.self])
    /// ```
    public static let postgres = StoreBackend(
        name: "PostgreSQL", schemes: ["postgres", "postgresql"], optionKeys: PostgresConfiguration.optionKeys
    ) { url, model, _ in
        try PostgresCoordinator(model: model, PostgresConfiguration(url))
    }
}
#endif
