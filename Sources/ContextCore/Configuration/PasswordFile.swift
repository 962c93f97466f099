import Foundation

/// Reads passwords as libpq keeps them: lines of `host:port:database:user:password`.
///
/// See <https://www.postgresql.org/docs/current/libpq-pgpass.html>.
enum PasswordFile {
    /// Finds the password for an address in a file, or in the usual one.
    static func password(
        for url: StoreURL, _ path: String?, _ surroundings: ConfigurationSurroundings
    ) throws(StoreError) -> String {
        let path =
            path ?? surroundings.variables["PGPASSFILE"] ?? (surroundings.home ?? "") + "/.pgpass"
        guard let text = FileManager.default.contents(atPath: path) else {
            throw StoreError(
                .configuration, "the password file \(path) can't be read.",
                remedy: "Check the path, and whether you may read it.")
        }
        try checkPermissions(of: path)
        let host = url.hosts.first
        let wanted = [
            host?.name ?? "localhost", String(host?.port ?? 5432), url.databaseName, url.user ?? "",
        ]
        for line in String(decoding: text, as: UTF8.self).linesByBytes
        where !line.hasPrefix("#") {
            let fields = fields(of: line)
            let isMeant = fields.count >= 5 && zip(fields, wanted).allSatisfy { $0 == "*" || $0 == $1 }
            if isMeant { return fields[4] }
        }
        throw StoreError(
            .configuration, "the password file \(path) has no line for \(url.user ?? "") on \(wanted[0]).",
            remedy: "Add the line host:port:database:user:password.")
    }

    private static func checkPermissions(of path: String) throws(StoreError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard permissions & 0o077 == 0 else {
            throw StoreError(
                .configuration, "others may read the password file \(path).", remedy: "Run chmod 600 on it.")
        }
    }

    /// The parts of a line; a backslash takes a colon or a backslash as it is.
    static func fields(of line: Substring) -> [String] {
        var fields = [""]
        var isEscaped = false
        for character in line {
            if isEscaped {
                fields[fields.count - 1].append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == ":", fields.count < 5 {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
