#if Postgres
import ContextCore

/// The session settings that the library's statements rely on, which override those of the server, the database and the role.
struct SessionSettings {
    /// The `search_path`, in which unqualified names refer to built-in objects only.
    ///
    /// So functions, operators and types that other users create in the store's schema can't change the meaning of a statement;
    /// statements qualify the store's tables and functions. The path contains `pg_temp`, since the server would otherwise search
    /// temporary tables and types first.
    static let path = "pg_catalog, pg_temp"

    /// The names and values of the settings.
    let settings: [(name: String, value: String)]

    init(_ configuration: PostgresConfiguration) {
        var settings = [
            // First, so that the role's timeout can't end one of the following statements.
            ("statement_timeout", "\(configuration.statementTimeout?.wholeMilliseconds ?? 0)"),
            // Before the path, whose text depends on it.
            ("quote_all_identifiers", "off"), ("search_path", Self.path),
            ("lock_timeout", "\(configuration.timeout.wholeMilliseconds)"),
            ("timezone", "UTC"), ("datestyle", "ISO, MDY"), ("standard_conforming_strings", "on"),
            // Text of doubles is exact, and the text formats of intervals and bytes are fixed.
            ("extra_float_digits", "1"), ("intervalstyle", "postgres"), ("bytea_output", "hex"),
            // Comparisons with null are null.
            ("transform_null_equals", "off"),
        ]
        // No limit in the configuration overrides a limit of the role or the database.
        let idle = configuration.idleInTransactionTimeout?.wholeMilliseconds ?? 0
        settings.append(("idle_in_transaction_session_timeout", "\(idle)"))
        self.settings = settings
    }

    /// The statements that set them for the open transaction only, for connections through a pooler.
    var transactionStatements: [String] {
        settings.map { name, value in
            // The path is a list of names; other settings have one value.
            name == "search_path" ? "SET LOCAL search_path = \(value)" : "SET LOCAL \(name) = '\(value)'"
        }
    }
}

extension Duration {
    /// The milliseconds for a setting: at least 1, since 0 means no limit, and at most the server's maximum of nearly 25 days.
    var wholeMilliseconds: Int64 {
        let seconds = min(max(components.seconds, 0), Int64(Int32.max) / 1000 - 1)
        return max(1, seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
#endif
