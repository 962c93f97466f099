#if Postgres
import ContextCore

/// The keywords of libpq that an address or a service may have.
enum ConnectionKeyword {
    /// Those that say where the server is and who logs in; in a URL they have places.
    static let places: Set<String> = ["host", "hostaddr", "port", "user", "password", "dbname"]

    /// Those for which there is a setting of this library's.
    static let synonyms = ["sslmode": "tls", "target_session_attrs": "target"]

    /// Those that are handed on as they are.
    static let passed: Set<String> = [
        "passfile", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcrl", "sslcrldir", "sslsni",
        "sslnegotiation",
        "ssl_min_protocol_version", "ssl_max_protocol_version", "channel_binding", "require_auth",
        "requirepeer",
        "gssencmode", "krbsrvname", "keepalives", "keepalives_idle", "keepalives_interval",
        "keepalives_count",
        "tcp_user_timeout",
    ]

    /// Those that a service may have.
    static let inServices = places.union(synonyms.keys).union(passed).union(["connect_timeout"])

    /// Why one is not taken that libpq has.
    static func objection(to keyword: String) -> String? {
        switch keyword {
        case "options": "What a session is set to is this library's to say."
        case "application_name", "fallback_application_name":
            "Connections are named by this library, which knows them by it."
        case "client_encoding": "Texts go to the server as UTF-8, always."
        case "service": "One service can't stand for another."
        default: nil
        }
    }
}
#endif
