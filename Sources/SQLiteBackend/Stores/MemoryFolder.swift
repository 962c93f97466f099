#if SQLite
import ContextCore
import Foundation

/// A folder for an in-memory store, on a memory file system if there is one.
///
/// SQLite's own in-memory databases don't support snapshots beside a writer, which sessions require; files do. The folder is removed with
/// the store. The folder of a killed process is removed when the next one is created.
final class MemoryFolder: Sendable {
    let path: String
    private let lock: Int32

    private static let prefix = "contextcore-memory-"
    private static let unlockedPrefix = "contextcore-making-"

    init() throws(StoreError) {
        let parent = Self.parent
        Self.removeStaleFolders(parent)
        // A folder gets the name that other processes look for only once it is locked.
        var template = Array("\(parent)/\(Self.unlockedPrefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StoreError(
                .inputOutput, "An in-memory store can't be created: \(String(cString: strerror(errno))).",
                remedy: "Check that \(parent) is writable and has free space.")
        }
        let made = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        path = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
        lock = open(made + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(made, path) == 0 else {
            throw StoreError(
                .inputOutput, "An in-memory store can't be created: \(String(cString: strerror(errno))).",
                remedy: "Check that \(parent) is writable and has free space.")
        }
    }

    deinit {
        Self.remove(path)
        close(lock)
    }

    private static var parent: String {
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    /// Removes the folders of processes that have ended.
    private static func removeStaleFolders(_ parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
            guard name.hasPrefix(prefix) else { continue }
            let descriptor = open("\(parent)/\(name)/lock", O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove("\(parent)/\(name)") }
            close(descriptor)
        }
    }

    private static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
#endif
