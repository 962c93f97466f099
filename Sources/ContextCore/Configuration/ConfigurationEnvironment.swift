import Foundation

/// The environment variables and the working directory of a process, with which its configuration is read.
package struct ConfigurationEnvironment: Sendable {
    /// The environment variables.
    package var variables: [String: String]
    /// The working directory.
    package var directory: String
    /// The secrets that were read, which are redacted in output.
    package let secrets: SecretLedger

    package init(variables: [String: String], directory: String, secrets: SecretLedger = SecretLedger()) {
        self.variables = variables
        self.directory = directory
        self.secrets = secrets
        // libpq reads this variable itself.
        if let password = variables["PGPASSWORD"] { secrets.register(password) }
    }

    /// The environment of this process.
    package static var process: ConfigurationEnvironment {
        ConfigurationEnvironment(
            variables: ProcessInfo.processInfo.environment,
            directory: FileManager.default.currentDirectoryPath)
    }

    /// The user's home directory.
    package var home: String? { variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the absolute path of a path that is relative to the working directory or starts with `~`.
    package func resolved(_ path: String) -> String {
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        return path.hasPrefix("/") ? path : directory + "/" + path
    }

    /// Returns the absolute path of a setting; a path in a configuration file is relative to the file's directory.
    func resolved(_ path: String, from origin: SettingOrigin) -> String {
        guard case .file(let file, _) = origin, !path.hasPrefix("/"), !path.hasPrefix("~/") else {
            return resolved(path)
        }
        return URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).path
    }
}
