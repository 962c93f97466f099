#if SQLite
import ContextCore
import Foundation

/// A folder for a store that is to live in memory: on a file system in memory where there is one.
///
/// SQLite's own stores in memory can't be read at one moment and written beside it, which sessions promise; files can. The folder
/// goes with the store. One that a killed process left behind goes when the next one is made.
final class MemoryFolder: Sendable {
    let path: String
    private let lock: Int32

    private static let prefix = "contextcore-memory-"
    private static let unlockedPrefix = "contextcore-making-"

    init() throws(StoreError) {
        let parent = Self.parent
        Self.sweep(parent)
        // Only a folder that is locked already gets the name by which others look for those that nobody holds.
        var template = Array("\(parent)/\(Self.unlockedPrefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw StoreError(
                .inputOutput, "There is no room for a store in memory: \(String(cString: strerror(errno))).",
                remedy: "Check that \(parent) may be written.")
        }
        let made = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        path = "\(parent)/\(Self.prefix)\(UUID().uuidString)"
        lock = open(made + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(made, path) == 0 else {
            throw StoreError(
                .inputOutput, "A store in memory can't be made: \(String(cString: strerror(errno))).",
                remedy: "Check that \(parent) may be written.")
        }
    }

    deinit {
        Self.remove(path)
        close(lock)
    }

    private static var parent: String {
        access("/dev/shm", W_OK) == 0 ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    }

    /// Removes the folders that nobody holds any more.
    private static func sweep(_ parent: String) {
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
