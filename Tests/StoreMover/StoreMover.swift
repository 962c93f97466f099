import ContextCore
import Foundation
import Synchronization

#if SQLite
import SQLiteBackend
#endif
#if Postgres
import PostgresBackend
#endif

/// Another process that migrates a store, for tests: `StoreMover URL FOLDER [VERSION [DEATH]]`.
///
/// It tells of each step before it does it, and of each batch afterwards. Where a number is given, it kills itself once it has told
/// so often.
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
        let told = Mutex(0)
        let death = arguments.count > 4 ? Int(arguments[4]) : nil
        options.progress = { progress in
            let bytes = Array("\(progress.transition) \(progress.step)\n".utf8)
            _ = write(1, bytes, bytes.count)
            let count = told.withLock { told in
                told += 1
                return told
            }
            if count == death { kill(getpid(), SIGKILL) }
        }
        let versions = try ModelVersions(folder: URL(filePath: arguments[2]))
        let outcome = try backend.migrate(url, to: versions, options)
        print("done \(outcome.transitions.joined(separator: ","))")
    }
}
