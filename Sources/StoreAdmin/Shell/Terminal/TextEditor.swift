import ContextCore
import Foundation

/// Lets a user edit a text with an editor of the user's choice.
struct TextEditor {
    /// The shell command that edits a file.
    let command: String
    let terminal: ShellTerminal

    /// Chooses the editor: `STORECTL_EDITOR`, `VISUAL`, `EDITOR`, or else `vi`.
    init(_ variables: [String: String], terminal: ShellTerminal) {
        let names = ["STORECTL_EDITOR", "VISUAL", "EDITOR"]
        command = names.lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? "vi"
        self.terminal = terminal
    }

    /// Returns the edited text without whitespace at its ends; nil if it is unchanged.
    ///
    /// - Throws: ``AdminError`` if the file can't be written, or if the editor fails.
    func edited(_ text: String) throws -> String? {
        let folder = FileManager.default.temporaryDirectory.path
        // Readable by its owner only, because a request may contain values.
        var name = Array("\(folder)/storectl-XXXXXX.txt".utf8CString)
        let descriptor = mkstemps(&name, 4)
        let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw Self.error("the file \(path) can't be created.") }
        defer { unlink(path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data((text + "\n").utf8))
        try file.close()
        guard terminal.run("\(command) \(path.shellQuoted)") == 0 else {
            throw Self.error("the editor “\(command)” failed, so nothing was run.")
        }
        let edited = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return edited.trimmingSpaces == text.trimmingSpaces ? nil : edited.trimmingSpaces
    }

    private static func error(_ message: String) -> AdminError {
        AdminError(
            code: "SC3009", exit: .cannotCreate, message: message,
            hint: "Set VISUAL or EDITOR to your editor, and check the folder for temporary files.")
    }
}
