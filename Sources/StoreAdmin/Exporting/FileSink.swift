import Foundation

/// A new file that is written piece by piece, and has its name only when it is whole.
///
/// Until ``finish()`` it is named like the file with `.part` and the process's number behind it. One that isn't finished is removed.
final class FileSink: Sendable {
    private let handle: FileHandle
    private let path: String
    private let part: String

    /// Makes the file, which only its owner may read; one that is there is left alone.
    init(_ path: String) throws {
        self.path = path
        part = "\(path).\(getpid()).part"
        let isTaken = FileManager.default.fileExists(atPath: path)
        // A part of that name is left from a process that had the same number and was killed.
        if !isTaken { unlink(part) }
        let descriptor = isTaken ? -1 : open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let isThere = isTaken
            throw AdminError(
                code: "SC3009", exit: .cannotCreate,
                message: isThere ? "the file \(path) is there already." : "the file \(path) can't be made.",
                hint: isThere
                    ? "Name another, or remove it." : "Check the folder, and whether you may write there.")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ text: String) throws {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw AdminError(
                code: "SC3010", exit: .inputOutput, message: "the file \(path) can't be written.",
                hint: "Check the room on its disk.")
        }
    }

    /// Gives the file its name; one that has come there meanwhile is left alone.
    func finish() throws {
        try? handle.synchronize()
        try? handle.close()
        // Not every file system has links.
        guard link(part, path) == 0 || errno != EEXIST && rename(part, path) == 0 else {
            let isThere = errno == EEXIST
            throw AdminError(
                code: "SC3009", exit: .cannotCreate,
                message: isThere ? "the file \(path) is there already." : "the file \(path) can't be made.",
                hint: isThere
                    ? "Name another, or remove it." : "Check the folder, and whether you may write there.")
        }
        unlink(part)
    }

    /// Removes what isn't finished.
    func close() {
        try? handle.close()
        unlink(part)
    }
}
