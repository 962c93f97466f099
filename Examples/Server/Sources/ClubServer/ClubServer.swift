import ContextCore
import Foundation
import Hummingbird
import Logging
import Model
import PostgresBackend
import SQLiteBackend

/// Serves the chess club over HTTP, until SIGTERM or SIGINT: see the README beside this package.
@main
struct ClubServer {
    static func main() async {
        var logger = Logger(label: "club-server")
        do {
            let settings = try Settings(ProcessInfo.processInfo.environment)
            logger.logLevel = settings.logLevel
            let store = try await Store.open(
                backends: [.sqlite, .postgres], model: clubModel, options: .serving(logger))
            let application = try await makeApplication(
                store, address: .hostname(settings.host, port: settings.port), logger: logger)
            try await application.runService()
        } catch {
            logger.critical("\(error)")
            exit(1)
        }
    }
}

extension StoreOptions {
    /// Options for serving requests: operations at once, a bounded queue, and a log of slow and failed operations.
    static func serving(_ logger: Logger) -> StoreOptions {
        StoreOptions(
            readLimit: 8, writes: .concurrent(limit: 8), waitingLimit: 1000,
            log: .handler(slowerThan: .milliseconds(250)) { line in logger.notice("\(line)") })
    }
}
