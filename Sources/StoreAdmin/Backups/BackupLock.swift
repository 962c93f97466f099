import Foundation

/// Keeps a backup's name to one process at a time, until the backup is whole.
///
/// It is the lock of a file beside the backup, which is free as soon as its holder is gone, however that came about; so what a killed
/// one has left is told from what another is at.
final class BackupLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``AdminError`` where somebody else has it, or there is no such folder.
    init(of part: String) throws {
        path = part + ".lock"
        descriptor = try Self.lock(path)
    }

    deinit {
        // Nobody else takes a file for the lock that has no name any more.
        unlink(path)
        close(descriptor)
    }

    private static func lock(_ path: String) throws -> Int32 {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw AdminError(
                    code: "SC3009", exit: .cannotCreate, message: "the file \(path) can't be made.",
                    hint: "Check the folder, and whether you may write there.")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                close(descriptor)
                throw AdminError(
                    code: "SC2101", exit: .temporary,
                    message: "somebody else is making a backup of that name.",
                    hint: "Wait for it, or name another with --out.", isRetryable: true)
            }
            // Who had it may have taken the name away before it was locked.
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
