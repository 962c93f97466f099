#if SQLite
import CSQLite
import Foundation
import Synchronization

/// Has a transaction of a file wait at its commit while a file lies at a path, with all that it has written and nobody else sees.
enum CommitGate {
    private static let path = Mutex<String?>(nil)

    /// Lets transactions of all connections that are opened from here on wait, once it is shut.
    static func install() {
        let entry:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
            ) -> Int32 = { connection, _, _ in
                _ = sqlite3_commit_hook(connection, { _ in CommitGate.pass() }, nil)
                return SQLITE_OK
            }
        // SQLite declares all entries of extensions as taking nothing, and calls them with these.
        sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    }

    /// Lets commits wait from here on.
    ///
    /// Who waits says so by a file of the same name with its process's number after it.
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
