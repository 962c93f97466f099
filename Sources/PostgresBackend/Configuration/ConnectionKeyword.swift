#if Postgres
import ContextCore

/// The libpq keywords that an address or a service can have.
enum ConnectionKeyword {
    /// The keywords for the server, database and login, which a URL specifies outside of its query.
    static let addressKeywords: Set<String> = ["host", "hostaddr", "port", "user", "password", "dbname"]

    /// The names of this library for keywords that libpq calls differently, by libpq's name.
    static let synonyms = ["sslmode": "tls", "target_session_attrs": "target"]

    /// The keywords that are passed to libpq unchanged.
    static let passed: Set<String> = [
        "passfile", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslcrl", "sslcrldir", "sslsni",
        "sslnegotiation",
        "ssl_min_protocol_version", "ssl_max_protocol_version", "channel_binding", "require_auth",
        "requirepeer",
        "gssencmode", "krbsrvname", "keepalives", "keepalives_idle", "keepalives_interval",
        "keepalives_count",
        "tcp_user_timeout",
    ]

    /// The keywords that a service can have.
    static let serviceKeywords = addressKeywords.union(synonyms.keys).union(passed).union(["connect_timeout"])

    /// Returns the reason why a service can't have a keyword of libpq, or nil if libpq doesn't have the keyword either.
    static func rejectionReason(to keyword: String) -> String? {
        switch keyword {
        case "options": "The library sets the options of its sessions itself."
        case "application_name", "fallback_application_name":
            "The library names its connections itself, to recognize them on the server."
        case "client_encoding": "The library always sends text as UTF-8."
        case "service": "A service can't refer to another service."
        default: nil
        }
    }
}
#endif
