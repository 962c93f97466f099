#if Postgres
import ContextCore
import Foundation

/// Reads libpq's service file: sections of `keyword=value` in `~/.pg_service.conf`, or in the file that `PGSERVICEFILE` names.
///
/// See <https://www.postgresql.org/docs/current/libpq-pgservice.html>.
struct ServiceFile {
    private let environment: ConfigurationEnvironment

    init(_ environment: ConfigurationEnvironment) { self.environment = environment }

    /// Returns the settings of a service by keyword.
    ///
    /// - Throws: `StoreError.Code.configuration` with the file and line, without any value.
    func settings(of service: String) throws(StoreError) -> [String: String] {
        var searchedPaths: [String] = []
        for path in paths {
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            searchedPaths.append(path)
            if let settings = try Self.settings(of: service, in: data, path) { return settings }
        }
        let reason =
            searchedPaths.isEmpty
            ? "no service file exists" : "it is not in \(searchedPaths.joined(separator: " or "))"
        throw StoreError(
            .configuration, "The service “\(service)” wasn't found: \(reason).",
            remedy: "Add it to \(paths[0]), below a line [\(service)].")
    }

    /// The paths of the user's service file and the system-wide ones.
    private var paths: [String] {
        let user = variable("PGSERVICEFILE") ?? (environment.home ?? "") + "/.pg_service.conf"
        let folders =
            variable("PGSYSCONFDIR").map { [$0] } ?? ["/etc/postgresql-common", "/etc/sysconfig/pgsql"]
        return [environment.resolved(user)] + folders.map { $0 + "/pg_service.conf" }
    }

    private func variable(_ name: String) -> String? {
        environment.variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the first section with the service's name; nil if the file has none.
    private static func settings(
        of service: String, in data: Data, _ path: String
    ) throws(StoreError) -> [String: String]? {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw StoreError(
                .configuration, "The service file \(path) is not UTF-8.", remedy: "Convert the file to UTF-8."
            )
        }
        var settings: [String: String]?
        for (index, raw) in text.newlineSeparatedLines.enumerated() {
            let line = Self.trimmed(raw)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                if settings != nil { break }
                if line == "[\(service)]" { settings = [:] }
            } else if settings != nil {
                let (key, value) = try setting(line, "\(path):\(index + 1)")
                guard settings?.updateValue(value, forKey: key) == nil else {
                    throw StoreError(
                        .configuration, "\(path):\(index + 1): The keyword \(key) is set twice.",
                        remedy: "Remove one of the lines.")
                }
            }
        }
        return settings?.filter { !$0.value.isEmpty }
    }

    private static func trimmed(_ line: Substring) -> String {
        let isSpace = { (character: Character) in character == " " || character == "\t" }
        var line = line.drop(while: isSpace)
        while line.last.map(isSpace) == true { line.removeLast() }
        return String(line)
    }

    private static func setting(_ line: String, _ place: String) throws(StoreError) -> (String, String) {
        guard let equals = line.firstIndex(of: "=") else {
            throw StoreError(
                .configuration, "\(place): The line doesn't have the form keyword=value.",
                remedy: "Correct or remove the line.")
        }
        let key = String(line[..<equals])
        if ConnectionKeyword.serviceKeywords.contains(key) {
            return (key, String(line[line.index(after: equals)...]))
        }
        if let rejectionReason = ConnectionKeyword.rejectionReason(to: key) {
            throw StoreError(
                .configuration, "\(place): A service for a store can't have the keyword \(key).",
                remedy: "\(rejectionReason) Remove the keyword, or add another service for the store.")
        }
        let near = Spelling.nearest(to: key, among: Array(ConnectionKeyword.serviceKeywords))
            .map { "Did you mean \($0)? " }
        let list = ConnectionKeyword.serviceKeywords.sorted().joined(separator: ", ")
        throw StoreError(
            .configuration, "\(place): The keyword \(key) is unknown.",
            remedy: (near ?? "") + "Valid keywords are \(list). Write no spaces around the =.")
    }
}
#endif
