#if Postgres
import CPostgres
import ContextCore

/// The connection parameters for libpq as arrays of keywords and values, which need no escaping.
struct ConnectionSettings {
    private var settings: [(keyword: String, value: String)] = []

    /// Creates the parameters for one server of a configuration.
    ///
    /// - Parameters:
    ///   - host: One of the configuration's servers; nil if it has none.
    ///   - name: The application name of the connection.
    ///   - target: The required kind of server.
    init(
        _ configuration: PostgresConfiguration, host: StoreURL.Host?, name: String,
        target: PostgresConfiguration.Target
    ) {
        if let host {
            add("host", host.name)
            add("port", host.port.map(String.init) ?? "")
        }
        add("target_session_attrs", target.rawValue)
        if let user = configuration.user { add("user", user) }
        if let password = configuration.password { add("password", password) }
        if let database = configuration.database { add("dbname", database) }
        add("sslmode", configuration.tls.rawValue)
        add("client_encoding", "UTF8")
        add("application_name", name)
        addKeepalives()
        // libpq uses the last value of a repeated keyword.
        for (keyword, value) in configuration.connectionSettings.sorted(by: { $0.key < $1.key }) {
            add(keyword, value)
        }
        if !configuration.isPooled { add("options", Self.options(configuration)) }
    }

    private mutating func add(_ keyword: String, _ value: String) { settings.append((keyword, value)) }

    /// Adds TCP keepalives, which detect an unreachable server during a wait.
    ///
    /// It doesn't set `tcp_user_timeout`: a server that waits for a lock doesn't read, and the system would drop its connection.
    private mutating func addKeepalives() {
        add("keepalives", "1")
        add("keepalives_idle", "5")
        add("keepalives_interval", "2")
        add("keepalives_count", "3")
    }

    /// Returns the options of the session: its settings, and keepalives by which the server detects that the client is gone.
    private static func options(_ configuration: PostgresConfiguration) -> String {
        let keepalives = [
            ("tcp_keepalives_idle", "30"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
        ]
        return (SessionSettings(configuration).settings + keepalives).map { name, value in
            // In libpq's options a backslash escapes spaces and backslashes.
            let escaped = value.flatMap { $0 == " " || $0 == "\\" ? ["\\", $0] : [$0] }
            return "-c \(name)=\(String(escaped))"
        }.joined(separator: " ")
    }

    /// Starts to connect; returns a connection that may have failed, or nil if memory is exhausted.
    func start() -> OpaquePointer? {
        let keywords = settings.map(\.keyword)
        let values = settings.map(\.value)
        return Self.withCStrings(keywords) { keywords in
            Self.withCStrings(values) { values in PQconnectStartParams(keywords, values, 0) }
        }
    }

    /// Calls a function with an array of C strings that ends with a null pointer.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let bytes = strings.flatMap { Array($0.utf8CString) }
        return bytes.withUnsafeBufferPointer { buffer in
            var pointers: [UnsafePointer<CChar>?] = []
            var start = 0
            for string in strings {
                pointers.append(buffer.baseAddress.map { $0 + start })
                start += string.utf8.count + 1
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { pointers in
                // The array contains at least the null pointer.
                body(pointers.baseAddress.unsafelyUnwrapped)
            }
        }
    }
}
#endif
