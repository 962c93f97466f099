import Foundation

/// A folder for generated sources, in which edited files are not overwritten.
struct SourceFolder {
    /// The path of the folder, which is created if it doesn't exist.
    let path: String

    /// Writes the files that don't exist.
    ///
    /// - Returns: The names of the written files.
    /// - Throws: ``AdminError`` if a file exists and has another text; then nothing is written.
    func write(_ files: [ModelSource.File]) throws -> [String] {
        let missing = files.filter { !FileManager.default.fileExists(atPath: path(of: $0)) }
        let changed = files.filter { file in
            FileManager.default.contents(atPath: path(of: file)).map { $0 != Data(file.text.utf8) } ?? false
        }
        guard changed.isEmpty else {
            let names = changed.map(\.name).joined(separator: ", ")
            throw AdminError(
                code: "SC3009", exit: .cannotCreate,
                message: "files of the folder \(path) have another text: \(names). Nothing was written.",
                hint: "Remove these files, or choose another folder and compare the two.")
        }
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw AdminError(
                code: "SC3009", exit: .cannotCreate, message: "the folder \(path) can't be created.",
                hint: "Check the folder around it, and your permission to write there.")
        }
        for file in missing {
            let sink = try FileSink(path(of: file))
            defer { sink.close() }
            try sink.write(file.text)
            try sink.finish()
        }
        return missing.map(\.name)
    }

    private func path(of file: ModelSource.File) -> String { "\(path)/\(file.name)" }
}
