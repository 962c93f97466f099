#if Postgres
import CPostgres

/// Tells about the libpq that the running program is linked with.
public enum PostgresLibrary {
    /// Returns libpq's version as PostgreSQL writes it, for example `17.2`.
    public static var version: String {
        name(ofVersion: Int(PQlibVersion()))
    }

    /// Spells a version number of PostgreSQL 10 or newer: `170002` is `17.2`.
    static func name(ofVersion number: Int) -> String {
        "\(number / 10_000).\(number % 10_000)"
    }
}
#endif
