#if Postgres
import CPostgres

/// Information about the libpq that the running program is linked with.
public enum PostgresLibrary {
    /// The version of libpq in PostgreSQL's notation, for example `17.2`.
    public static var version: String {
        name(ofVersion: Int(PQlibVersion()))
    }

    /// Formats a version number of PostgreSQL 10 or newer: `170002` is `17.2`.
    static func name(ofVersion number: Int) -> String {
        "\(number / 10_000).\(number % 10_000)"
    }
}
#endif
