import Foundation

/// The file that keeps the history between sessions, one input per line, readable by its owner only.
///
/// Each input is appended when it is entered, so a killed shell loses none. Several shells may share the file: each locks it while it reads
/// or writes.
struct HistoryFile {
    /// The character that stands for a line feed within an input.
    private static let lineFeed: Character = "\u{1}"

    let path: String

    /// Returns the inputs, the oldest first.
    ///
    /// A file with more than twice the inputs that a history keeps is shortened.
    func load() -> [String] {
        guard FileManager.default.fileExists(atPath: path), let file = openLocked(creates: false) else {
            return []
        }
        defer { try? file.close() }
        guard let data = try? file.readToEnd() else { return [] }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
        let newest = HistoryPolicy.newest(lines)
        if lines.count > 2 * HistoryPolicy.limit { try? replace(newest, in: file) }
        return newest.map { $0.replacing(String(Self.lineFeed), with: "\n") }
    }

    /// Appends an input, and creates the file if there is none.
    ///
    /// - Throws: ``AdminError`` if the file can't be written.
    func append(_ input: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let file = openLocked(creates: true) else { throw error }
        defer { try? file.close() }
        do {
            try file.seekToEnd()
            try file.write(contentsOf: Data(Self.line(input).utf8))
        } catch {
            throw self.error
        }
    }

    private static func line(_ input: String) -> String {
        input.replacing("\n", with: String(lineFeed)) + "\n"
    }

    private func replace(_ lines: [String], in file: FileHandle) throws {
        try file.seek(toOffset: 0)
        let data = Data(lines.map { $0 + "\n" }.joined().utf8)
        try file.write(contentsOf: data)
        try file.truncate(atOffset: UInt64(data.count))
    }

    /// Opens and locks the file; closing it ends the lock.
    ///
    /// - Returns: Nil if it can't be opened, or isn't a regular file.
    private func openLocked(creates: Bool) -> FileHandle? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0), 0o600)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // Another program may have created the file with other permissions.
        if status.st_mode & 0o077 != 0, fchmod(descriptor, 0o600) != 0 { return nil }
        guard flock(descriptor, LOCK_EX) == 0 else { return nil }
        return file
    }

    private var error: AdminError {
        AdminError(
            code: "SC3010", exit: .inputOutput, message: "the shell's history can't be written to \(path).",
            hint:
                "Make the file writable, or set \(HistoryPolicy.variable) to another path, or to nothing for no history."
        )
    }
}
