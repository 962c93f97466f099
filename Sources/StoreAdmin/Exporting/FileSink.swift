import Foundation

/// A new file that is written in pieces under a temporary name, and renamed when it is complete.
///
/// The temporary name is in the same folder and ends in `.part`. A file without a call of ``finish()`` is removed.
final class FileSink: Sendable {
    private let handle: FileHandle
    private let path: String
    private let temporaryPath: String
    private let replaces: Bool

    /// Creates the file under its temporary name, readable by its owner only.
    ///
    /// - Parameter replaces: Whether the complete file replaces one with the name.
    /// - Throws: An error if a file with the name already exists, and it isn't replaced.
    init(_ path: String, replaces: Bool = false) throws {
        self.path = path
        self.replaces = replaces
        guard replaces || !FileManager.default.fileExists(atPath: path) else {
            throw Self.alreadyExistsError(path)
        }
        let ending = ".part"
        // The temporary name is unique even if processes on several machines share the folder.
        var name = Array("\(path).XXXXXX\(ending)".utf8CString)
        let descriptor = mkstemps(&name, Int32(ending.utf8.count))
        guard descriptor >= 0 else { throw Self.creationError(path) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        temporaryPath = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { unlink(temporaryPath) }

    func write(_ text: String) throws {
        do {
            try handle.write(contentsOf: Data(text.utf8))
        } catch {
            throw writeError
        }
    }

    /// Syncs the file to disk, and renames it.
    ///
    /// - Throws: An error if another process has created a file with the name, which stays unchanged unless it may be replaced.
    func finish() throws {
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw writeError
        }
        if replaces {
            guard rename(temporaryPath, path) == 0 else { throw Self.creationError(path) }
            return
        }
        if link(temporaryPath, path) == 0 {
            unlink(temporaryPath)
            return
        }
        if errno == EEXIST { throw Self.alreadyExistsError(path) }
        // Not every file system has hard links. An empty file reserves the name until it is replaced by renaming.
        let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard claim >= 0 else {
            throw errno == EEXIST ? Self.alreadyExistsError(path) : Self.creationError(path)
        }
        _ = Foundation.close(claim)
        guard rename(temporaryPath, path) == 0 else {
            unlink(path)
            throw Self.creationError(path)
        }
    }

    /// Closes the file, and removes it if it isn't finished.
    func close() {
        try? handle.close()
        unlink(temporaryPath)
    }

    private var writeError: AdminError {
        AdminError(
            code: "SC3010", exit: .inputOutput, message: "the file \(path) can't be written.",
            hint: "Check the free space on the disk.")
    }

    private static func alreadyExistsError(_ path: String) -> AdminError {
        AdminError(
            code: "SC3009", exit: .cannotCreate, message: "the file \(path) already exists.",
            hint: "Choose another name, or remove the file.")
    }

    private static func creationError(_ path: String) -> AdminError {
        AdminError(
            code: "SC3009", exit: .cannotCreate, message: "the file \(path) can't be created.",
            hint: "Check the folder, and your permission to write there.")
    }
}
