#if SQLite
import ContextCore
import Foundation

/// The file of a copy until it is whole, under a name that only one process has at a time.
///
/// It is locked as long as it is written, so what a killed program has left is told from what another one is at. SQLite's own locks on it
/// would be gone with the descriptor; so that is closed last.
///
/// State: the descriptor that holds the lock, used by one thread at a time.
final class UnfinishedCopy {
    /// An empty file at first.
    let file: StoreFile
    private var descriptor: Int32

    /// Is nil where somebody else has it.
    init?(of copy: StoreFile) throws(StoreError) {
        file = try StoreFile(copy.path + ".unfinished")
        guard let locked = try Self.lock(file) else { return nil }
        descriptor = locked
        // What a killed program has left is no copy, and in nobody's way.
        for path in [file.journal, file.log, file.index] { unlink(path) }
        ftruncate(descriptor, 0)
    }

    deinit { giveUp() }

    private static func lock(_ file: StoreFile) throws(StoreError) -> Int32? {
        while true {
            let descriptor: Int32
            do throws(NameLock.Failure) {
                descriptor = try NameLock.take(file.path)
            } catch {
                guard case .system(let words) = error else { return nil }
                throw StoreError(
                    .inputOutput, "The copy “\(file.path)” can't be begun: \(words).",
                    remedy: "Check that the folder may be written and its files be locked.")
            }
            if let identity = identity(file, descriptor) {
                if !identity.hasOtherNames { return descriptor }
                // What has another name is somebody's copy, whose maker was killed before he let go of this one.
                unlink(file.path)
            }
            close(descriptor)
        }
    }

    /// What is open, if it is still what has the name.
    private static func identity(_ file: StoreFile, _ descriptor: Int32) -> FileIdentity? {
        guard let opened = FileIdentity(of: descriptor), opened == FileIdentity(of: file.path) else {
            return nil
        }
        return opened
    }

    /// Gives the copy its name; tells whether it did, or somebody else was quicker.
    func take(_ copy: StoreFile) throws(StoreError) -> Bool {
        if link(file.path, copy.path) == 0 { return true }
        if errno == EEXIST { return false }
        // Not every file system has links.
        guard rename(file.path, copy.path) == 0 else {
            throw StoreError(
                .inputOutput,
                "The copy “\(copy.path)” can't be given its name: \(String(cString: strerror(errno))).",
                remedy: "Name another for the copy.")
        }
        return true
    }

    /// Takes the unfinished name away, if the file still has it, and lets go of it.
    func giveUp() {
        guard descriptor >= 0 else { return }
        if Self.identity(file, descriptor) != nil { unlink(file.path) }
        close(descriptor)
        descriptor = -1
    }
}
#endif
