import Foundation

/// A libpq password file, with lines of the form `host:port:database:user:password`.
///
/// libpq reads the file itself, but silently ignores it if it can't be read or if other users can read it; this type reports both as
/// errors.
///
/// See <https://www.postgresql.org/docs/current/libpq-pgpass.html>.
struct PasswordFile {
    /// The URL option that names the file, for backends that support such files.
    static let setting = "passfile"

    let path: String

    /// Checks the file with the given path; nil for the default file.
    ///
    /// - Throws: ``StoreError/Code/configuration`` if the file can't be read, or if other users can read it.
    init(_ path: String?, _ environment: ConfigurationEnvironment) throws(StoreError) {
        self.path =
            path ?? environment.variables["PGPASSFILE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? (environment.home ?? "") + "/.pgpass"
        guard FileManager.default.contents(atPath: self.path) != nil else {
            throw StoreError(
                .configuration, "the password file \(self.path) can't be read.",
                remedy: "Check that the file exists and that its permissions let you read it.")
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
