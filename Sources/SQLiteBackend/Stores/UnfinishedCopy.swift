#if SQLite
import ContextCore
import Foundation

/// The temporary file of a copy, locked by the process that writes it.
///
/// The lock distinguishes the file of a running process from the leftover of a killed one. Closing the descriptor would release SQLite's
/// own locks on the file, so it is closed last.
///
/// One thread at a time uses the descriptor that holds the lock.
final class UnfinishedCopy {
    /// The temporary file, which is empty at first.
    let file: StoreFile
    private var descriptor: Int32

    /// Returns nil if another process holds the lock.
    init?(of copy: StoreFile) throws(StoreError) {
        file = try StoreFile(copy.path + ".unfinished")
        guard let locked = try Self.lock(file) else { return nil }
        descriptor = locked
        // The files that a killed process left are not a finished copy.
        for path in [file.journal, file.log, file.index] { unlink(path) }
        ftruncate(descriptor, 0)
    }

    deinit { discard() }

    private static func lock(_ file: StoreFile) throws(StoreError) -> Int32? {
        while true {
            let descriptor: Int32
            do throws(AdvisoryFileLock.Failure) {
                descriptor = try AdvisoryFileLock.acquire(file.path)
            } catch {
                guard case .system(let reason) = error else { return nil }
                throw StoreError(
                    .inputOutput, "The copy “\(file.path)” can't be created: \(reason).",
                    remedy: "Check that the folder is writable and supports file locks.")
            }
            if let identity = identity(file, descriptor) {
                if !identity.hasOtherNames { return descriptor }
                // A second hard link means a finished copy, whose process was killed before it removed the temporary name.
                unlink(file.path)
            }
            close(descriptor)
        }
    }

    /// Returns the identity of the open file, or nil if its path refers to another file.
    private static func identity(_ file: StoreFile, _ descriptor: Int32) -> FileIdentity? {
        guard let opened = FileIdentity(of: descriptor), opened == FileIdentity(of: file.path) else {
            return nil
        }
        return opened
    }

    /// Renames the temporary file to its final path; returns false if that exists.
    func publish(_ copy: StoreFile) throws(StoreError) -> Bool {
        if link(file.path, copy.path) == 0 { return true }
        if errno == EEXIST { return false }
        // Not every file system supports hard links.
        guard rename(file.path, copy.path) == 0 else {
            throw StoreError(
                .inputOutput,
                "The copy “\(copy.path)” can't be renamed to its final name: \(String(cString: strerror(errno))).",
                remedy: "Choose another path for the copy.")
        }
        return true
    }

    /// Removes the temporary name, if it still refers to the file, and releases the lock.
    func discard() {
        guard descriptor >= 0 else { return }
        if Self.identity(file, descriptor) != nil { unlink(file.path) }
        close(descriptor)
        descriptor = -1
    }
}
#endif
