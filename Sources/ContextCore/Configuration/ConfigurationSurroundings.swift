import Foundation

/// What of a process its configuration depends on.
package struct ConfigurationSurroundings: Sendable {
    /// The variables of the environment.
    package var variables: [String: String]
    /// The working folder.
    package var directory: String
    /// The secrets that were met.
    package let secrets: SecretLedger

    package init(variables: [String: String], directory: String, secrets: SecretLedger = SecretLedger()) {
        self.variables = variables
        self.directory = directory
        self.secrets = secrets
        // libpq takes it by itself.
        if let password = variables["PGPASSWORD"] { secrets.note(password) }
    }

    /// Those of this process.
    package static var process: ConfigurationSurroundings {
        ConfigurationSurroundings(
            variables: ProcessInfo.processInfo.environment,
            directory: FileManager.default.currentDirectoryPath)
    }

    /// The user's home folder.
    package var home: String? { variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } }

    /// A path as it is meant: from the working folder, with `~` for the home folder.
    package func resolved(_ path: String) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return path.hasPrefix("/") ? path : directory + "/" + path
    }

    /// A path as it is meant where it stands: one in a configuration file begins in that file's folder.
    func resolved(_ path: String, from origin: SettingOrigin) -> String {
        guard case .file(let file, _) = origin, !path.hasPrefix("/"), !path.hasPrefix("~/") else {
            return resolved(path)
        }
        return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).path
    }
}
