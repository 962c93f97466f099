#if Postgres
import CPostgres
import ContextCore

/// A configuration as libpq takes it: keywords and values, so that no value is ever part of a string.
struct ConnectionSettings {
    private var settings: [(keyword: String, value: String)] = []

    init(_ configuration: PostgresConfiguration) {
        if !configuration.hosts.isEmpty {
            add("host", configuration.hosts.map(\.name).joined(separator: ","))
            add("port", configuration.hosts.map { $0.port.map(String.init) ?? "" }.joined(separator: ","))
        }
        if configuration.hosts.count > 1 { add("target_session_attrs", "read-write") }
        if let user = configuration.user { add("user", user) }
        if let password = configuration.password { add("password", password) }
        if let database = configuration.database { add("dbname", database) }
        add("sslmode", configuration.tls.rawValue)
        // Whole seconds, two at least: less libpq takes for two anyway.
        add("connect_timeout", String(max(2, configuration.timeout.components.seconds)))
        add("client_encoding", "UTF8")
        add("application_name", "ContextCore")
        add("options", Self.options(configuration))
    }

    private mutating func add(_ keyword: String, _ value: String) { settings.append((keyword, value)) }

    /// What the server is told at the start: where names are looked up, and how long a lock is waited for.
    private static func options(_ configuration: PostgresConfiguration) -> String {
        let (seconds, attoseconds) = configuration.timeout.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        var schema = ""
        // Inside quotes a quote is doubled; libpq's options take a backslash before a space or a backslash.
        for character in SQLDialectNames.quoted(configuration.schema) {
            if character == " " || character == "\\" { schema.append("\\") }
            schema.append(character)
        }
        return "-c search_path=\(schema) -c lock_timeout=\(milliseconds) -c timezone=UTC -c datestyle=ISO"
            + " -c standard_conforming_strings=on"
    }

    /// Connects; the answer may be a connection that failed.
    func connect() -> OpaquePointer? {
        let keywords = settings.map(\.keyword)
        let values = settings.map(\.value)
        return Self.withCStrings(keywords) { keywords in
            Self.withCStrings(values) { values in PQconnectdbParams(keywords, values, 0) }
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
