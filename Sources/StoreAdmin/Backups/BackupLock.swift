import ContextCore
import Foundation

/// A file lock that allows only one process at a time to make a backup with a name.
final class BackupLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Acquires the lock without waiting.
    ///
    /// - Throws: ``AdminError`` if another process holds it, or if the file can't be created or locked.
    init(of part: String) throws {
        path = part + ".lock"
        do throws(AdvisoryFileLock.Failure) {
            descriptor = try AdvisoryFileLock.acquire(path)
        } catch {
            throw Self.error(error, path)
        }
    }

    deinit {
        // `AdvisoryFileLock` checks that a file it has locked still has its name, so no process gets a lock on the unlinked file.
        unlink(path)
        close(descriptor)
    }

    private static func error(_ failure: AdvisoryFileLock.Failure, _ path: String) -> AdminError {
        switch failure {
        case .alreadyLocked:
            AdminError(
                code: "SC2101", exit: .temporary,
                message: "another process is making a backup with this name.",
                hint: "Wait until it has finished, or choose another name with --out.", isRetryable: true)
        case .system(let words):
            AdminError(
                code: "SC3009", exit: .cannotCreate,
                message: "the file \(path) can't be created and locked: \(words).",
                hint: "Check the folder, and your permission to write there.")
        }
    }
}
