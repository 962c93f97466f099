import ContextCore
import Foundation

/// Keeps a backup's name to one process at a time, until the backup is whole.
final class BackupLock: Sendable {
    private let path: String
    private let descriptor: Int32

    /// - Throws: ``AdminError`` where somebody else has it, or the folder or its file system doesn't allow of it.
    init(of part: String) throws {
        path = part + ".lock"
        do throws(NameLock.Failure) {
            descriptor = try NameLock.take(path)
        } catch {
            throw Self.error(error, path)
        }
    }

    deinit {
        // Nobody else takes a file for the lock that has no name any more.
        unlink(path)
        close(descriptor)
    }

    private static func error(_ failure: NameLock.Failure, _ path: String) -> AdminError {
        switch failure {
        case .held:
            AdminError(
                code: "SC2101", exit: .temporary, message: "somebody else is making a backup of that name.",
                hint: "Wait for it, or name another with --out.", isRetryable: true)
        case .system(let words):
            AdminError(
                code: "SC3009", exit: .cannotCreate,
                message: "the file \(path) can't be made and locked: \(words).",
                hint: "Check the folder, and whether you may write there.")
        }
    }
}
