import Foundation

/// A new file that is written piece by piece, and has its name only when it is whole.
///
/// Until ``finish()`` it has a name of its own beside it, which ends in `.part`. One that isn't finished is removed.
final class FileSink: Sendable {
    private let handle: FileHandle
    private let path: String
    private let part: String

    /// Makes the file, which only its owner may read.
    ///
    /// - Throws: An error where a file of that name is there already.
    init(_ path: String) throws {
        self.path = path
        guard !FileManager.default.fileExists(atPath: path) else { throw Self.exists(path) }
        let ending = ".part"
        // No other process has the same name, on whatever machine it runs.
        var name = Array("\(path).XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&name, Int32(ending.utf8.count))
        guard descriptor >= 0 else { throw Self.cannotBeMade(path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        part = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { unlink(part) }

    func write(_ text: String) throws {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw cannotBeWritten
        }
    }

    /// Gives the file its name once it is on the disk.
    ///
    /// - Throws: An error where a file of that name has been made meanwhile, which is left alone.
    func finish() throws {
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw cannotBeWritten
        }
        if link(part, path) == 0 {
            unlink(part)
            return
        }
        if errno == EEXIST { throw Self.exists(path) }
        // Not every file system has links. An empty file keeps the name until the part takes its place.
        let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard claim >= 0 else { throw errno == EEXIST ? Self.exists(path) : Self.cannotBeMade(path) }
        _ = Foundation.close(claim)
        guard rename(part, path) == 0 else {
            unlink(path)
            throw Self.cannotBeMade(path)
        }
    }

    /// Removes what isn't finished.
    func close() {
        try? handle.close()
        unlink(part)
    }

    private var cannotBeWritten: AdminError {
        AdminError(
            code: "SC3010", exit: .inputOutput, message: "the file \(path) can't be written.",
            hint: "Check the room on its disk.")
    }

    private static func exists(_ path: String) -> AdminError {
        AdminError(
            code: "SC3009", exit: .cannotCreate, message: "the file \(path) is there already.",
            hint: "Name another, or remove it.")
    }

    private static func cannotBeMade(_ path: String) -> AdminError {
        AdminError(
            code: "SC3009", exit: .cannotCreate, message: "the file \(path) can't be made.",
            hint: "Check the folder, and whether you may write there.")
    }
}
