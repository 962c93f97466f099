#if SQLite
import ContextCore
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// A lock that lets one process, and one thread of it, migrate a store.
///
/// It locks a file beside the store, which the system unlocks when the holder ends for any reason. It can't lock the store's own file,
/// because a process loses SQLite's locks on that when it closes any descriptor of it. The file is never removed, because two processes
/// could then hold locks on different files with the same name.
///
/// One thread at a time uses the descriptor that holds the lock.
final class MigrationLock {
    private let path: String
    private let store: String
    private var descriptor: Int32 = -1
    private let lock: (Int32, Int32) -> Int32

    /// - Parameter lock: The function that locks; tests inject one that fails.
    init(of file: StoreFile, lock: @escaping (Int32, Int32) -> Int32 = { flock($0, $1) }) {
        path = file.path + "-migrating"
        store = file.path
        self.lock = lock
    }

    deinit { unlock() }

    func tryLock() throws(StoreError) -> Bool {
        let opened = openFile()
        guard opened >= 0 else {
            throw StoreError(
                .readOnly, "The store can't be migrated: the file “\(path)” can't be opened.",
                remedy:
                    "Check that the store's folder is writable, and that the file belongs to the owner of the store.",
                detail: String(cString: strerror(errno)))
        }
        if let lockError = lockError(of: opened, LOCK_EX) {
            close(opened)
            if lockError == EWOULDBLOCK { return false }
            throw StoreError(
                .inputOutput, "The store can't be migrated: the file “\(path)” can't be locked.",
                remedy: "Keep the store on a file system that supports file locks.",
                detail: String(cString: strerror(lockError)))
        }
        descriptor = opened
        // The text is informational: whether the lock is held can't be inferred from it.
        let holderText =
            "process \(ProcessInfo.processInfo.processIdentifier) of \(ProcessInfo.processInfo.hostName)\n"
        ftruncate(opened, 0)
        _ = holderText.withCString { write(opened, $0, strlen($0)) }
        return true
    }

    /// Tries to lock the file, and returns the error code if it fails.
    private func lockError(of descriptor: Int32, _ kind: Int32) -> Int32? {
        while lock(descriptor, kind | LOCK_NB) != 0 {
            if errno != EINTR { return errno }
        }
        return nil
    }

    /// Opens or creates the file with the owner and permissions of the store, so that every user of the store can lock it.
    private func openFile() -> Int32 {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if made >= 0 {
            var info = stat()
            if stat(store, &info) == 0 {
                fchmod(made, info.st_mode & 0o777)
                // Only root can change the owner, and only root needs to.
                _ = fchown(made, info.st_uid, info.st_gid)
            }
            return made
        }
        guard errno == EEXIST else { return made }
        let found = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        if found >= 0 || errno != EACCES { return found }
        // Read access is enough for the lock; the text in the file is only for people.
        return open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    }

    /// Whether another process holds the lock; doesn't create the file.
    var isHeldByAnother: Bool {
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return lockError(of: opened, LOCK_SH) == EWOULDBLOCK
    }

    /// A description of the holder, from the system or from the text in the file.
    ///
    /// The text may be that of an earlier holder if the present one could only read the file.
    var holder: String? {
        if let holder = LockHolder(ofFile: path) { return holder.description }
        return (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    func unlock() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}
#endif
