#if SQLite
import ContextCore
import Foundation
import Testing

@testable import SQLiteBackend

/// The lock file that lets one process at a time migrate a store.
struct MigrationLockTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.url.path + "/a.sqlite"
        #expect(FileManager.default.createFile(atPath: path, contents: Data()))
    }

    private func info(_ path: String) -> stat {
        var info = stat()
        #expect(stat(path, &info) == 0)
        return info
    }

    @Test(arguments: [0o600, 0o640, 0o666])
    func `All users of the store can use the lock file`(_ mode: Int) throws {
        chmod(path, mode_t(mode))
        if getuid() == 0 { chown(path, 4711, 4712) }
        let lock = MigrationLock(of: try StoreFile(path))
        #expect(try lock.tryLock())
        let (store, own) = (info(path), info(path + "-migrating"))
        #expect(own.st_mode & 0o777 == mode_t(mode))
        #expect(own.st_uid == store.st_uid && own.st_gid == store.st_gid)
        let other = MigrationLock(of: try StoreFile(path))
        #expect(try !other.tryLock())
        lock.unlock()
        #expect(try other.tryLock())
    }

    @Test func `A file that can't be locked is an error, and has no holder`() throws {
        let lock = MigrationLock(of: try StoreFile(path)) { _, _ in
            errno = ENOLCK
            return -1
        }
        let error = #expect(throws: StoreError.self) { try lock.tryLock() }
        #expect(error?.code == .inputOutput)
        #expect(error?.detail == String(cString: strerror(ENOLCK)))
        #expect(!lock.isHeldByAnother)
    }

    @Test func `A signal doesn't interrupt the wait`() throws {
        var signals = 2
        let lock = MigrationLock(of: try StoreFile(path)) { descriptor, operation in
            signals -= 1
            if signals < 0 { return flock(descriptor, operation) }
            errno = EINTR
            return -1
        }
        #expect(try lock.tryLock())
        #expect(signals == -1)
    }
}
#endif
