#if SQLite
import CSQLite
import Foundation
import Synchronization

/// Makes the transactions of a file wait before their commit while a file exists at a path; their writes are invisible to others.
enum CommitGate {
    private static let path = Mutex<String?>(nil)

    /// Makes the transactions of all connections that are opened from here on wait while the gate is shut.
    static func install() {
        let entry:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
            ) -> Int32 = { connection, _, _ in
                _ = sqlite3_commit_hook(connection, { _ in CommitGate.pass() }, nil)
                return SQLITE_OK
            }
        // SQLite declares all entry points of extensions without parameters, and calls them with these.
        sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    }

    /// Makes commits wait from here on.
    ///
    /// A waiting process creates a file of the same name with its process identifier appended.
    static func shut(at path: String) {
        self.path.withLock { $0 = path }
    }

    private static func pass() -> Int32 {
        guard let path = path.withLock({ $0 }) else { return 0 }
        if access(path, F_OK) == 0 { close(creat("\(path).\(getpid())", 0o600)) }
        while access(path, F_OK) == 0 { usleep(1000) }
        return 0
    }
}
#endif
