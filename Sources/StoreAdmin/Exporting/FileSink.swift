import Foundation

/// A new file that is written piece by piece.
final class FileSink: Sendable {
    private let handle: FileHandle
    private let path: String

    /// Makes the file, which only its owner may read; one that is there is left alone.
    init(_ path: String) throws {
        self.path = path
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let isThere = errno == EEXIST
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

    func close() { try? handle.close() }
}
