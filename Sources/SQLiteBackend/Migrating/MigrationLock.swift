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
    private var descriptor: Int32 = -1

    init(of file: StoreFile) {
        path = file.path + "-migrating"
    }

    deinit { unlock() }

    func tryLock() throws(StoreError) -> Bool {
        let opened = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else {
            throw StoreError(
                .readOnly, "The store can't be migrated: the file “\(path)” can't be opened.",
                remedy: "Check that the store's folder may be written.",
                detail: String(cString: strerror(errno)))
        }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
            close(opened)
            return false
        }
        descriptor = opened
        // What stands there is for people; whether the lock is held, only the system knows.
        let words =
            "process \(ProcessInfo.processInfo.processIdentifier) of \(ProcessInfo.processInfo.hostName)\n"
        ftruncate(opened, 0)
        _ = words.withCString { write(opened, $0, strlen($0)) }
        return true
    }

    /// Who holds it, in that process's own words.
    var holder: String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    func unlock() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
    }
}
#endif
