/// The address of a store, taken apart: `sqlite:games.sqlite?durability=full`, `postgres://app@db:5432/games`.
///
/// ```
/// scheme:path?key=value&key=value
/// scheme://user:password@host:port,host:port/path?key=value
/// host=name port=number user=name password='…' dbname=name key=value
/// ```
///
/// The last form is that of PostgreSQL's own programs, and its scheme is `postgres`. Nothing is encoded in it.
///
/// Reading one is strict: what can't be understood is an error that says what and where, and no part is dropped. Parts are stored
/// as they are meant, that is, with `%20` and the like decoded. Printing one never shows the password.
public struct StoreURL: Sendable, Hashable {
    /// One server's address.
    public struct Host: Sendable, Hashable {
        /// The server's name or number.
        public var name: String
        /// The port; nil for the usual one.
        public var port: Int?

        /// Names a server.
        public init(_ name: String, port: Int? = nil) {
            self.name = name
            self.port = port
        }
    }

    /// What stands before the colon, in small letters: it says which backend opens the store.
    public let scheme: String
    /// Who logs in; nil if nobody is named.
    public let user: String?
    /// The secret of who logs in; nil if there is none.
    ///
    /// It is shown nowhere.
    public let password: String?
    /// The servers, in the order in which they are to be tried; empty for a store without servers, or where the backend itself
    /// knows them.
    public let hosts: [Host]
    /// A file's path; after servers it begins with a slash, and ``databaseName`` is what follows that.
    public let path: String
    /// The settings after the question mark, by key.
    public let options: [String: String]
}

extension StoreURL {
    /// The name of a database on a server: the path without its first slash.
    public var databaseName: String { path.hasPrefix("/") ? String(path.dropFirst()) : path }
}

extension StoreURL {
    /// The same address with a setting, unless it has one of that key.
    package func adding(_ key: String, _ value: String) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path,
            options: options.merging([key: value]) { written, _ in written })
    }

    /// The same address with other settings in place of those of the same keys.
    package func replacing(_ changed: [String: String]) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path,
            options: options.merging(changed) { _, new in new })
    }

    /// The same address with another path.
    package func replacingPath(_ path: String) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path, options: options)
    }

    /// The same address with another password.
    package func replacingPassword(_ password: String) -> StoreURL {
        StoreURL(
            scheme: scheme, user: user, password: password, hosts: hosts, path: path, options: options)
    }
}

extension StoreURL: CustomStringConvertible, CustomReflectable {
    /// The address with `***` in the place of the password.
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

    /// Hides the password from `dump` and from debuggers too.
    public var customMirror: Mirror { Mirror(self, children: ["url": description]) }

    /// Whether what is set by a key is a secret, as the password of a key's file is.
    package static func isSecret(_ key: String) -> Bool { key.lowercased().contains("password") }

    /// The passwords in the address, those among its settings included.
    package var secrets: [String] {
        [password].compactMap(\.self) + options.filter { Self.isSecret($0.key) }.map(\.value)
    }
}

extension StoreURL.Host: CustomStringConvertible {
    /// The name and the port as they stand in an address.
    public var description: String {
        (name.contains(":") ? "[\(name)]" : name) + (port.map { ":\($0)" } ?? "")
    }
}
