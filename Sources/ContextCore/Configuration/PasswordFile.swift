import Foundation

/// A libpq password file, with lines of the form `host:port:database:user:password`.
///
/// libpq reads it and finds the line of each server. But libpq ignores a file that it can't read or that other users can read; this type
/// reports both.
///
/// See <https://www.postgresql.org/docs/current/libpq-pgpass.html>.
struct PasswordFile {
    /// The URL option that names the file, for backends that support such files.
    static let setting = "passfile"

    let path: String

    /// Checks a file, or the default one.
    init(_ path: String?, _ surroundings: ConfigurationEnvironment) throws(StoreError) {
        self.path =
            path ?? surroundings.variables["PGPASSFILE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? (surroundings.home ?? "") + "/.pgpass"
        guard FileManager.default.contents(atPath: self.path) != nil else {
            throw StoreError(
                .configuration, "the password file \(self.path) can't be read.",
                remedy: "Check the path and its permissions.")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: self.path)
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard permissions & 0o077 == 0 else {
            throw StoreError(
                .configuration, "other users can read the password file \(self.path).",
                remedy: "Run chmod 600 on it.")
        }
    }
}
