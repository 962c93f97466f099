import ContextCore
import Foundation

#if SQLite
import SQLiteBackend
#endif
#if Postgres
import PostgresBackend
#endif

/// Another process that migrates a store, for tests that kill it: `StoreMover URL FOLDER VERSION`.
///
/// It says each step before it does it.
@main
enum StoreMover {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { exit(64) }
        var backends: [StoreBackend] = []
        #if SQLite
        backends.append(.sqlite)
        #endif
        #if Postgres
        backends.append(.postgres)
        #endif
        let url = try StoreURL(arguments[1])
        guard let backend = backends.first(where: { $0.schemes.contains(url.scheme) }) else { exit(69) }
        var options = MigrationOptions()
        options.version = arguments.count > 3 ? arguments[3] : nil
        options.progress = { progress in
            let bytes = Array("\(progress.transition) \(progress.step)\n".utf8)
            _ = write(1, bytes, bytes.count)
        }
        let versions = try ModelVersions(folder: URL(filePath: arguments[2]))
        let outcome = try backend.migrate(url, to: versions, options)
        print("done \(outcome.transitions.joined(separator: ","))")
    }
}
