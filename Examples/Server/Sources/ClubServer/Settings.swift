import ContextCore
import Logging

/// The server's settings, from the environment variables `SERVER_HOST`, `SERVER_PORT` and `LOG_LEVEL`.
struct Settings {
    let host: String
    let port: Int
    let logLevel: Logger.Level

    /// Reads the variables; a missing one has a default.
    init(_ variables: [String: String]) throws {
        host = variables["SERVER_HOST"] ?? "127.0.0.1"
        guard let port = Int(variables["SERVER_PORT"] ?? "8080"), (0...65535).contains(port) else {
            throw StoreError(.configuration, "SERVER_PORT must be a number from 0 to 65535.")
        }
        guard let level = Logger.Level(rawValue: variables["LOG_LEVEL"] ?? "info") else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw StoreError(.configuration, "LOG_LEVEL must be one of \(levels).")
        }
        (self.port, logLevel) = (port, level)
    }
}
