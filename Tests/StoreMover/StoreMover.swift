import ContextCore
import Foundation
import Synchronization

#if SQLite
import SQLiteBackend
#endif
#if Postgres
import PostgresBackend
#endif

/// Another process that migrates a store, for tests: `StoreMover URL FOLDER [VERSION [DEATH | GATE]]`.
///
/// It prints a line before each step, and after each batch. If DEATH is a number, it kills itself after so many lines; if it is a time
/// such as `200us`, so long after its first line, whatever it does then. With the path GATE, a step of a file waits before its commit
/// until no file exists at the path.
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
        // A step may take long while other tests run.
        options.waitTimeout = .seconds(900)
        let lineCount = Mutex(0)
        let death = arguments.count > 4 ? Int(arguments[4]) : nil
        let time =
            arguments.count > 4 && arguments[4].hasSuffix("us") ? UInt32(arguments[4].dropLast(2)) : nil
        let gate = arguments.count > 4 && arguments[4].hasPrefix("/") ? arguments[4] : nil
        #if SQLite
        if gate != nil { CommitGate.install() }
        #endif
        options.progress = { progress in
            #if SQLite
            if let gate { CommitGate.shut(at: gate) }
            #endif
            let bytes = Array("\(progress.transition) \(progress.step)\n".utf8)
            _ = write(1, bytes, bytes.count)
            let count = lineCount.withLock { lineCount in
                lineCount += 1
                return lineCount
            }
            if count == death { kill(getpid(), SIGKILL) }
            if count == 1, let time { die(after: time) }
        }
        let versions = try ModelVersions(folder: URL(filePath: arguments[2]))
        let outcome = try backend.migrate(url, to: versions, options)
        print("done \(outcome.transitions.joined(separator: ","))")
    }

    /// Kills the process after a delay, during its work.
    private static func die(after microseconds: UInt32) {
        Thread {
            usleep(microseconds)
            kill(getpid(), SIGKILL)
        }.start()
    }
}
