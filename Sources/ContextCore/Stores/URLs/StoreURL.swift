/// The parsed address of a store, such as `sqlite:games.sqlite?durability=full` or `postgres://app@db:5432/games`.
///
/// ```
/// scheme:path?key=value&key=value
/// scheme://user:password@host:port,host:port/path?key=value
/// host=name port=number user=name password='…' dbname=name key=value
/// ```
///
/// The last form is a connection string of libpq; its scheme is `postgres`, and it has no percent-encoding.
///
/// Parsing is strict: invalid text is an error that names the part, and no part is ignored. The properties are decoded, without
/// percent-encoding. The description never contains the password.
public struct StoreURL: Sendable, Hashable {
    /// The address of a server.
    public struct Host: Sendable, Hashable {
        /// The server's name or IP address.
        public var name: String
        /// The port; nil for the default.
        public var port: Int?

        /// Creates the address of a server.
        public init(_ name: String, port: Int? = nil) {
            self.name = name
            self.port = port
        }
    }

    /// The lowercase scheme before the colon, which selects the backend.
    public let scheme: String
    /// The user name; nil if there is none.
    public let user: String?
    /// The user's password; nil if there is none.
    ///
    /// Descriptions and errors never contain it.
    public let password: String?
    /// The servers, in the order in which to try them; empty for a store without a server, or for the backend's default servers.
    public let hosts: [Host]
    /// The path of a file, or, after servers, a slash and the ``databaseName``.
    public let path: String
    /// The settings after the question mark, by key.
    public let options: [String: String]
}

extension StoreURL {
    /// The name of a database on a server: the path without its leading slash.
    public var databaseName: String { path.hasPrefix("/") ? String(path.dropFirst()) : path }
}

extension StoreURL {
    /// Returns the address with an added setting, unless it already has one with that key.
    package func adding(_ key: String, _ value: String) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path,
            options: options.merging([key: value]) { written, _ in written })
    }

    /// Returns the address with settings added or replaced.
    package func replacing(_ changed: [String: String]) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path,
            options: options.merging(changed) { _, new in new })
    }

    /// Returns the address with another path.
    package func replacingPath(_ path: String) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path, options: options)
    }

    /// Returns the address with another password.
    package func replacingPassword(_ password: String) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path, options: options)
    }
}

extension StoreURL: CustomStringConvertible, CustomReflectable {
    /// The address with `***` in place of passwords.
    public var description: String {
        var text = scheme + ":"
        if !hosts.isEmpty || user != nil || password != nil {
            text += "//"
            if user != nil || password != nil { text += (user ?? "") + (password == nil ? "" : ":***") + "@" }
            text += hosts.map { $0.description.replacing("/", with: "%2F") }.joined(separator: ",")
        }
        text += path
        let settings = options.keys.sorted().map { "\($0)=\(Self.isSecret($0) ? "***" : options[$0] ?? "")" }
        return text + (settings.isEmpty ? "" : "?" + settings.joined(separator: "&"))
    }

    /// A mirror without the password, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }

    /// Whether the setting with a key is a secret, such as `sslpassword`.
    package static func isSecret(_ key: String) -> Bool { key.lowercased().contains("password") }

    /// The passwords in the address, including those in its settings.
    package var secrets: [String] {
        [password].compactMap(\.self) + options.filter { Self.isSecret($0.key) }.map(\.value)
    }
}

extension StoreURL.Host: CustomStringConvertible {
    /// The name and the port, as written in an address.
    public var description: String {
        (name.contains(":") ? "[\(name)]" : name) + (port.map { ":\($0)" } ?? "")
    }
}
