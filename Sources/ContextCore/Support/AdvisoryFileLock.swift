import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// An advisory lock on a file, which one process holds at a time.
///
/// The system releases it when the process ends, even if the process is killed. So files that a killed process left behind can be
/// distinguished from files that another process is using.
package enum AdvisoryFileLock {
    /// The reason that a lock wasn't acquired.
    package enum Failure: Error {
        /// Another process, or another descriptor of this process, has locked the file.
        case alreadyLocked
        /// The file can't be opened or locked; the value is the system's message.
        case system(String)
    }

    /// Creates a file if it doesn't exist and tries to lock it, without blocking.
    ///
    /// - Parameter lock: The system call that locks; tests pass one that fails.
    /// - Returns: The file descriptor that holds the lock until it is closed.
    package static func acquire(
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
                throw failure == EWOULDBLOCK ? .alreadyLocked : .system(String(cString: strerror(failure)))
            }
            // The previous holder may have deleted or replaced the file between opening and locking it.
            if refersToFile(path, descriptor) { return descriptor }
            close(descriptor)
        }
    }

    private static func refersToFile(_ path: String, _ descriptor: Int32) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0, lstat(path, &named) == 0 else { return false }
        return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
    }
}
