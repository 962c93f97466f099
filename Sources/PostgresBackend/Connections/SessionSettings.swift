#if Postgres
import ContextCore

/// The settings that the library's statements rely on, whatever the server, the database or the role have set.
struct SessionSettings {
    /// Where names are looked for that don't say where they are from: among the server's own, and nowhere else.
    ///
    /// So nobody who may make functions, operators or types in the store's schema has a say in what a statement means; tables and
    /// functions of the store's are called by their schema. What is temporary would come before the server's own tables and types
    /// if the path didn't say when it comes.
    static let path = "pg_catalog, pg_temp"

    /// Names and values, as they stand in the server's own configuration.
    let settings: [(name: String, value: String)]

    init(_ configuration: PostgresConfiguration) {
        var settings = [
            // First, so that a limit of the role's is over before it ends one of the other statements.
            ("statement_timeout", "\(configuration.statementTimeout?.wholeMilliseconds ?? 0)"),
            // Before the path, as it says how that is spelt.
            ("quote_all_identifiers", "off"), ("search_path", Self.path),
            ("lock_timeout", "\(configuration.timeout.wholeMilliseconds)"),
            ("timezone", "UTC"), ("datestyle", "ISO, MDY"), ("standard_conforming_strings", "on"),
            // Texts of doubles keep every bit, and those of intervals and bytes are spelt as they are read.
            ("extra_float_digits", "1"), ("intervalstyle", "postgres"), ("bytea_output", "hex"),
            // A comparison with null is null.
            ("transform_null_equals", "off"),
        ]
        // Without a limit of the program's there is none, whatever the role or the database says.
        let idle = configuration.idleInTransactionTimeout?.wholeMilliseconds ?? 0
        settings.append(("idle_in_transaction_session_timeout", "\(idle)"))
        self.settings = settings
    }

    /// Sets them for the open transaction alone, as one that shares its connection with others has to.
    var transactionStatements: [String] {
        settings.map { name, value in
            // The path is a list of names; everything else is one value.
            name == "search_path" ? "SET LOCAL search_path = \(value)" : "SET LOCAL \(name) = '\(value)'"
        }
    }
}

extension Duration {
    /// Milliseconds, one at least, since none would mean no limit to the server, and no more than it can count: nearly 25 days.
    var wholeMilliseconds: Int64 {
        let seconds = min(max(components.seconds, 0), Int64(Int32.max) / 1000 - 1)
        return max(1, seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
#endif
