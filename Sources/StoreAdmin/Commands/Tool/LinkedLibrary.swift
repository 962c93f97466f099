/// Names a C library that a program carries, and its version.
public struct LinkedLibrary: Sendable, Hashable {
    /// What people call the library, `SQLite` or `libpq`.
    public let name: String
    /// The version that the running program is linked with.
    public let version: String

    /// Creates the note about one library.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
