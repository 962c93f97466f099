import ContextCore
import Foundation

/// The file of `--mapping`, which the first call writes and the next ones read.
struct MappingFile {
    static let option = OptionDeclaration.option(
        "mapping", nil, "FILE", "The names of entities and properties; a file that doesn't exist is written.")

    /// The path as the call names it.
    let path: String
    private let resolvedPath: String

    /// Returns the file that the call names; nil if it names none.
    init?(_ call: CommandCall) {
        guard let path = call.arguments["mapping"] else { return nil }
        self.path = path
        resolvedPath = call.tool.environment.resolved(path)
    }

    var exists: Bool { FileManager.default.fileExists(atPath: resolvedPath) }

    /// Reads the file; a missing one maps nothing.
    func read(for structures: [TableStructure]) throws -> ImportMapping {
        if !exists { return ImportMapping() }
        guard let data = FileManager.default.contents(atPath: resolvedPath),
            let text = String(validating: data, as: UTF8.self)
        else {
            throw AdminError(
                code: "SC3011", exit: .inputMissing, message: "the file \(path) can't be read.",
                hint: "Check your permission to read the file, and that it is UTF-8.")
        }
        return try ImportMapping(text, path: path, structures: structures)
    }

    func write(_ imported: ModelImport) throws {
        let sink = try FileSink(resolvedPath)
        defer { sink.close() }
        try sink.write(ImportMapping(describing: imported).fileText)
        try sink.finish()
    }
}
