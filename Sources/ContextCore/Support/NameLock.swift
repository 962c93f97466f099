import Foundation

/// Keeps a name in a folder to one process at a time.
///
/// It is the lock of a file of that name, which is free as soon as its holder is gone, however that came about. So what a killed one has left is told from what another is at.
package enum NameLock {
    /// Why there is no lock.
    package enum Failure: Error {
        /// Somebody else has it.
        case held
        /// The file can't be opened, or the system can't lock it: in its own words.
        case system(String)
    }

    /// Locks a file, which is made where there is none, and isn't waited for.
    ///
    /// - Parameter lock: Locks; tests give one that fails.
    /// - Returns: The descriptor that has the lock, until it is closed.
    package static func take(
        _ path: String, lock: (Int32, Int32) -> Int32 = { flock($0, $1) }
    ) throws(Failure) -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw .system(String(cString: strerror(errno))) }
            var result: Int32
            repeat { result = lock(descriptor, LOCK_EX | LOCK_NB) } while result != 0 && errno == EINTR
            guard result == 0 else {
                let failure = errno
                close(descriptor)
                throw failure == EWOULDBLOCK ? .held : .system(String(cString: strerror(failure)))
            }
            // Who had it may have taken the name away, or given it to another file, before it was locked.
            if isNamed(path, descriptor) { return descriptor }
            close(descriptor)
        }
    }

    private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0 else { return false }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}
