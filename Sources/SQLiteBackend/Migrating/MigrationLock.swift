#if SQLite
import ContextCore
import Foundation

/// Keeps all but one process, and all but one thread of a process, from migrating a store.
///
/// It is the lock of a file beside the store's, which is free as soon as its holder is gone, however that came about. It can't be the
/// store's own file: a process lets go of all of SQLite's locks on that when it closes any descriptor of it. The file is never removed,
/// since two processes could then hold a lock each, on two files of one name.
///
/// State: the descriptor that holds the lock, used by one thread at a time.
final class MigrationLock {
    private let path: String
    private let store: String
    private var descriptor: Int32 = -1
    private let lock: (Int32, Int32) -> Int32

    /// - Parameter lock: Locks; tests give one that fails.
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
                    "Check that the store's folder may be written, and that the file is the store's owner's.",
                detail: String(cString: strerror(errno)))
        }
        if let failure = failure(of: opened, LOCK_EX) {
            close(opened)
            if failure == EWOULDBLOCK { return false }
            throw StoreError(
                .inputOutput, "The store can't be migrated: the file “\(path)” can't be locked.",
                remedy: "Keep the store on a disk whose files can be locked.",
                detail: String(cString: strerror(failure)))
        }
        descriptor = opened
        // What stands there is for people; whether the lock is held, only the system knows.
        let words =
            "process \(ProcessInfo.processInfo.processIdentifier) of \(ProcessInfo.processInfo.hostName)\n"
        ftruncate(opened, 0)
        _ = words.withCString { write(opened, $0, strlen($0)) }
        return true
    }

    /// Locks the file unless somebody holds it; answers what was in the way.
    private func failure(of descriptor: Int32, _ kind: Int32) -> Int32? {
        while lock(descriptor, kind | LOCK_NB) != 0 {
            if errno != EINTR { return errno }
        }
        return nil
    }

    /// Opens the file, and makes it where there is none: for everyone who may use the store, whoever makes it.
    private func openFile() -> Int32 {
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        if made >= 0 {
            var info = stat()
            if stat(store, &info) == 0 {
                fchmod(made, info.st_mode & 0o777)
                // Only an administrator may give files away, and only one has to.
                _ = fchown(made, info.st_uid, info.st_gid)
            }
            return made
        }
        guard errno == EEXIST else { return made }
        let found = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        if found >= 0 || errno != EACCES { return found }
        // The lock needs no more; the words in it are only for people.
        return open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    }

    /// Whether somebody holds it now; the file isn't made where there is none.
    var isHeldByAnother: Bool {
        let opened = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return failure(of: opened, LOCK_SH) == EWOULDBLOCK
    }

    /// Who holds it, as the system tells, or else in that process's own words.
    ///
    /// The words may be those of an earlier one, where the file may only be read.
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
