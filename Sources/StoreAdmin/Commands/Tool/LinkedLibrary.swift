/// The name and the version of a C library that the program contains.
public struct LinkedLibrary: Sendable, Hashable {
    /// The library's name, such as `SQLite` or `libpq`.
    public let name: String
    /// The version that the program is linked with.
    public let version: String

    /// Creates the description of a library.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
