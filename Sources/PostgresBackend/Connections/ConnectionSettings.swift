#if Postgres
import CPostgres
import ContextCore

/// A configuration as libpq takes it: keywords and values, so that no value is ever part of a string.
struct ConnectionSettings {
    private var settings: [(keyword: String, value: String)] = []

    /// - Parameters:
    ///   - host: One of the configuration's servers; nil where it has none.
    ///   - name: What the connection calls itself.
    ///   - target: What kind of server it has to be.
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
        addSignsOfLife()
        // Of a keyword that is there twice libpq takes the last.
        for (keyword, value) in configuration.connectionSettings.sorted(by: { $0.key < $1.key }) {
            add(keyword, value)
        }
        if !configuration.isPooled { add("options", Self.options(configuration)) }
    }

    private mutating func add(_ keyword: String, _ value: String) { settings.append((keyword, value)) }

    /// Lets the system find out that the other side is gone, while an answer is waited for.
    ///
    /// There is no limit to how long what was sent may lie there: a server that waits for a lock reads nothing meanwhile, and the system
    /// would take it for gone.
    private mutating func addSignsOfLife() {
        add("keepalives", "1")
        add("keepalives_idle", "5")
        add("keepalives_interval", "2")
        add("keepalives_count", "3")
    }

    /// What the server is told at the start: the settings of each session, and when it is to find out that the program is gone.
    private static func options(_ configuration: PostgresConfiguration) -> String {
        let signs = [
            ("tcp_keepalives_idle", "30"), ("tcp_keepalives_interval", "5"), ("tcp_keepalives_count", "3"),
        ]
        return (SessionSettings(configuration).settings + signs).map { name, value in
            // libpq's options take a backslash before a space or a backslash.
            let escaped = value.flatMap { $0 == " " || $0 == "\\" ? ["\\", $0] : [$0] }
            return "-c \(name)=\(String(escaped))"
        }.joined(separator: " ")
    }

    /// Begins to connect; the answer may be a connection that failed, or the null pointer where there is no memory.
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
                // It has at least the null pointer.
                body(pointers.baseAddress.unsafelyUnwrapped)
            }
        }
    }
}
#endif
