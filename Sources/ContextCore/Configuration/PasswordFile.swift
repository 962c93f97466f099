import Foundation

/// A file of passwords as libpq has it: lines of `host:port:database:user:password`.
///
/// libpq reads it by itself, and finds each server's own line. But where it can't, or finds that others may read the file, it does as if
/// there were none; so both are looked at here.
///
/// See <https://www.postgresql.org/docs/current/libpq-pgpass.html>.
struct PasswordFile {
    /// The setting of an address that names the file; a backend that knows it reads such files.
    static let setting = "passfile"

    let path: String

    /// Looks at a file, or at the usual one.
    init(_ path: String?, _ surroundings: ConfigurationSurroundings) throws(StoreError) {
        self.path =
            path ?? surroundings.variables["PGPASSFILE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? (surroundings.home ?? "") + "/.pgpass"
        guard FileManager.default.contents(atPath: self.path) != nil else {
            throw StoreError(
                .configuration, "the password file \(self.path) can't be read.",
                remedy: "Check the path, and whether you may read it.")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: self.path)
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard permissions & 0o077 == 0 else {
            throw StoreError(
                .configuration, "others may read the password file \(self.path).",
                remedy: "Run chmod 600 on it.")
        }
    }
}
